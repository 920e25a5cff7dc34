/**
 * Unique ids before the INSERT, on the JDK alone: snowflakes, segments, and the settings that choose between
 * strategies.
 */
@SuppressWarnings("module") // idgen-jdbc is built after this
module io.idgen.core {
    requires static org.crac;
    requires static transitive org.jspecify;

    exports io.idgen.core;
    exports io.idgen.core.config;
    exports io.idgen.core.internal.lease to
            io.idgen.jdbc,
            io.idgen.redis,
            io.idgen.zookeeper;
    exports io.idgen.core.internal.time to
            io.idgen.jdbc,
            io.idgen.redis,
            io.idgen.text,
            io.idgen.zookeeper;
    exports io.idgen.core.layout;
    exports io.idgen.core.lease;
    exports io.idgen.core.segment;
    exports io.idgen.core.snowflake;

    uses io.idgen.core.config.IdStrategy;
    uses io.idgen.core.config.LeaseStoreProvider;
}
