/** Moves an existing id to BIGINT, and to ids before the insert, while applications run. */
module io.idgen.migrate {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive java.sql;
    requires io.idgen.jdbc;

    exports io.idgen.migrate;
}
