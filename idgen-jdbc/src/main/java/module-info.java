/** IDs that a database table shares out: allocators, their tables, and the strategies that settings choose. */
@SuppressWarnings("module") // idgen-hibernate is built after this
module io.idgen.jdbc {
    requires static org.jspecify;
    requires transitive io.idgen.core;
    requires transitive java.sql;

    exports io.idgen.jdbc;
    exports io.idgen.jdbc.internal to
            io.idgen.hibernate;

    // the scripts are read by DBAs and Flyway alike
    opens db.idgen.h2;
    opens db.idgen.postgresql;
    opens idgen.schema.h2;
    opens idgen.schema.postgresql;

    provides io.idgen.core.IdStrategy with
            io.idgen.jdbc.internal.SegmentStrategy;
}
