/** For Jackson 3: ids in JSON as strings, or as public ids. */
module io.idgen.jackson {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive tools.jackson.databind;

    exports io.idgen.jackson;

    provides tools.jackson.databind.JacksonModule with
            io.idgen.jackson.IdgenModule;
}
