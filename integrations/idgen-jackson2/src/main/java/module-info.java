/** Writes ids as strings or as public ids in JSON, with Jackson 2. */
@SuppressWarnings("module") // the name ends with a digit
module io.idgen.jackson2 {
    requires static transitive org.jspecify;
    requires transitive io.idgen.text;
    requires transitive com.fasterxml.jackson.databind;

    exports io.idgen.jackson2;

    provides com.fasterxml.jackson.databind.Module with
            io.idgen.jackson2.IdgenModule;
}
