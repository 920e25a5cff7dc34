/** IDs from database tables and sequences: allocators, their tables, and the strategies that settings select. */
@SuppressWarnings("module") // idgen-hibernate is built after this
module io.idgen.jdbc {
    requires static com.zaxxer.hikari;
    requires static transitive io.idgen.text;
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive java.sql;
    requires java.naming;

    exports io.idgen.jdbc;
    exports io.idgen.jdbc.dialect;
    exports io.idgen.jdbc.internal.connection to
            io.idgen.hibernate;
    exports io.idgen.jdbc.internal.dialect to
            io.idgen.hibernate;
    exports io.idgen.jdbc.internal.sql to
            io.idgen.hibernate;
    exports io.idgen.jdbc.internal.text to
            io.idgen.hibernate;
    exports io.idgen.jdbc.schema;

    // the scripts are read by DBAs, Flyway and Liquibase alike
    opens db.idgen;
    opens db.idgen.h2;
    opens db.idgen.hsqldb;
    opens db.idgen.mariadb;
    opens db.idgen.mysql;
    opens db.idgen.postgresql;
    opens db.idgen.sqlite;
    opens idgen.schema.h2;
    opens idgen.schema.hsqldb;
    opens idgen.schema.mariadb;
    opens idgen.schema.mysql;
    opens idgen.schema.postgresql;
    opens idgen.schema.sqlite;

    uses io.idgen.jdbc.dialect.Dialect;

    provides io.idgen.core.config.LeaseStoreProvider with
            io.idgen.jdbc.internal.strategy.JdbcLeaseStoreProvider;
    provides io.idgen.core.config.IdStrategy with
            io.idgen.jdbc.internal.strategy.SegmentStrategy,
            io.idgen.jdbc.internal.strategy.SequenceTableStrategy,
            io.idgen.jdbc.internal.strategy.SteppedStrategy,
            io.idgen.jdbc.internal.strategy.NativeSequenceStrategy;
}
