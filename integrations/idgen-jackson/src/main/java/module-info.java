/** Writes ids as strings or as public ids in JSON, with Jackson 3. */
module io.idgen.jackson {
    requires static transitive org.jspecify;
    requires transitive io.idgen.text;
    requires transitive tools.jackson.databind;

    exports io.idgen.jackson;

    provides tools.jackson.databind.JacksonModule with
            io.idgen.jackson.IdgenModule;
}
