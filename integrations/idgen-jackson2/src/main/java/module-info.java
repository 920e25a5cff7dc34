/** For Jackson 2: ids in JSON as strings, or as public ids. */
@SuppressWarnings("module") // the name ends with a digit
module io.idgen.jackson2 {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive com.fasterxml.jackson.databind;

    exports io.idgen.jackson2;

    provides com.fasterxml.jackson.databind.Module with
            io.idgen.jackson2.IdgenModule;
}
