package io.idgen.jdbc.internal.strategy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.ApplicationSchema;
import io.idgen.jdbc.internal.connection.Routing;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** The settings of idgen's database and tables, and what they say without a connection. */
final class JdbcSettings {
    /** The parser for users and passwords, whose spaces count. */
    static final Function<String, String> UNCHANGED = text -> text;

    static final Setting<String> DATA_SOURCE = Setting.of(
            "jdbc.data-source",
            "The JNDI name of a DataSource that only idgen uses; under Hibernate also the DataSource itself.",
            JdbcSettings::jndiName);
    static final Setting<String> URL = Setting.<String>of(
            "jdbc.url",
            "The JDBC URL of the database with idgen's tables, if you pass no DataSource.",
            JdbcUrl::checked);
    static final Setting<String> USER = Setting.<String>of("jdbc.user", "The user for idgen.jdbc.url.", UNCHANGED);
    static final Setting<String> PASSWORD = Setting.<String>of(
                    "jdbc.password", "The password for idgen.jdbc.url.", UNCHANGED)
            .withDefault("");
    static final Setting<Duration> TIMEOUT = Setting.<Duration>of(
                    "jdbc.timeout",
                    "Timeout for opening a connection to the database, and for each statement of idgen.",
                    Setting.duration(Duration.ofMillis(1), Duration.ofDays(1)))
            .withDefault("5s");
    static final Setting<SqlName> SCHEMA = Setting.of(
            "jdbc.schema",
            "The schema of idgen's tables, if it is not the connection's default schema; under Hibernate"
                    + " hibernate.default_schema if not set, also with the Spring Boot starter.",
            text -> SqlName.parse(text, 1, 2));
    static final Setting<String> TABLE_PREFIX = Setting.of(
                    "jdbc.table-prefix",
                    "The prefix of the names of idgen's tables.",
                    text -> SqlName.parse(text.strip() + "x", 1, 1)
                            .column()
                            .substring(0, text.strip().length()))
            .withDefault(IdgenSchema.DEFAULT_PREFIX);
    static final Setting<Initialize> INITIALIZE = Setting.<Initialize>of(
                    "jdbc.initialize-schema",
                    "On which databases idgen creates its missing tables: never, embedded or always. With the Spring Boot"
                            + " starter also flyway or liquibase, which create them.",
                    Setting.oneOf(Initialize.class))
            .withDefault("embedded");

    static final Setting<DeletedRows> DELETED_ROWS = Setting.<DeletedRows>of(
                    "jdbc.deleted-rows",
                    "What to do if a row of a counter that this process has used disappears: refuse, or create it again, for"
                            + " tests that delete all rows. On databases that no other process can open, always create.",
                    Setting.oneOf(DeletedRows.class))
            .withDefault("refuse");

    /** The identity of the server to which leases and counters belong. */
    static final Setting<String> SERVER_IDENTITY = Setting.<String>of(
            "jdbc.server-identity",
            "A name for this database server; change it after every failover, in all processes at once. Needed only if the"
                    + " server cannot identify itself.",
            text -> ServerIdentity.check(text.strip()));

    static final List<Setting<?>> SETTINGS = List.of(
            DATA_SOURCE, URL, USER, PASSWORD, TIMEOUT, SCHEMA, TABLE_PREFIX, INITIALIZE, DELETED_ROWS, SERVER_IDENTITY);

    /** The types of the objects that it looks up. */
    static final List<Class<?>> RESOURCES =
            List.of(DataSource.class, ApplicationDatabase.class, ApplicationSchema.class);

    private JdbcSettings() {}

    /** The names of the tables, and whether to create them. */
    record Tables(String prefix, Initialize initialize, boolean createsDeletedRows) {
        static Tables of(SourceContext context) {
            return new Tables(
                    schema(context) + context.get(TABLE_PREFIX),
                    context.get(INITIALIZE),
                    context.get(DELETED_ROWS) == DeletedRows.CREATE);
        }

        @Override
        public int hashCode() {
            return prefix.hashCode(); // that of a record would be linked before the first id
        }
    }

    /** What to do if the row of a counter disappears. */
    enum DeletedRows {
        REFUSE,
        CREATE
    }

    /** The databases on which idgen creates its missing tables. */
    enum Initialize {
        NEVER,
        EMBEDDED,
        ALWAYS;

        SourceTable.CreatedBy createdBy() {
            return switch (this) {
                case NEVER -> SourceTable.CreatedBy.MIGRATIONS;
                case EMBEDDED -> SourceTable.CreatedBy.FRAMEWORK;
                case ALWAYS -> SourceTable.CreatedBy.SOURCE;
            };
        }
    }

    private static String jndiName(String text) {
        String name = text.strip();
        if (name.startsWith("jdbc:") || name.contains("://")) {
            throw new IllegalArgumentException(
                    "must be a JNDI name, and " + new JdbcUrl(name) + " is a URL; set " + URL);
        }
        if (name.startsWith("bean:")
                || name.contains("@")) { // as Object.toString() returns it, perhaps with a password
            throw new IllegalArgumentException(
                    "must be a JNDI name, not the text of an object; pass the DataSource object itself, or set " + URL);
        }
        return name;
    }

    /** Whether a source has a database, its own or the application's. */
    static boolean isAvailable(SourceContext context) {
        return hasOwn(context) || context.resource(ApplicationDatabase.class).isPresent();
    }

    /** Whether a source has a database of its own: a DataSource that was passed, or one that a setting names. */
    static boolean hasOwn(SourceContext context) {
        return context.resource(DataSource.class).isPresent() || isNamed(context);
    }

    /** Whether a setting names a database, by JNDI or by a URL. A DataSource that was passed has precedence. */
    static boolean isNamed(SourceContext context) {
        return context.resource(DataSource.class).isEmpty()
                && (context.find(DATA_SOURCE).isPresent() || context.find(URL).isPresent());
    }

    /** Returns the schema of the tables with a dot, or "": that of the application's tables in the same database. */
    private static String schema(SourceContext context) {
        SqlName named = context.find(SCHEMA).orElse(null);
        if (named != null) {
            return named + ".";
        }
        ApplicationSchema application =
                context.resource(ApplicationSchema.class).orElse(null);
        return application == null || application.name() == null || hasOwn(context) ? "" : application.name() + ".";
    }

    /**
     * Checks that a source has a database.
     *
     * @throws ConfigurationException if it has none
     */
    static void check(SourceContext context) {
        Optional<DataSource> passed = context.resource(DataSource.class);
        if (passed.filter(Routing::isRouting).isPresent()) {
            throw new ConfigurationException(
                    ErrorCode.NO_DATABASE,
                    "source '" + context.name() + "' needs one database, and "
                            + passed.orElseThrow().getClass().getName()
                            + " routes to several, whose tables would not all be seen; set " + DATA_SOURCE
                            + " to a data source of one of them, or set " + URL);
        }
        if (!isAvailable(context)) {
            boolean hasSeveral = context.resource(ApplicationSchema.class)
                    .filter(ApplicationSchema::hasTenants)
                    .isPresent();
            throw new ConfigurationException(
                    ErrorCode.NO_DATABASE,
                    "source '" + context.name() + "' needs a database"
                            + (hasSeveral
                                    ? ", and the application has several: tenants have their own, or its data source routes"
                                            + " to one of them"
                                    : "")
                            + "; pass a DataSource to IdSources (to Hibernate as " + DATA_SOURCE + "), or set " + URL);
        }
    }

    /**
     * The table of idgen that a source needs in the application's database, or in that of a DataSource that was passed;
     * empty if a setting names another database.
     *
     * @param table the table's name without the prefix
     */
    static List<SourceTable> tables(SourceContext context, String table) {
        if (isNamed(context)) {
            return List.of();
        }
        String name = Tables.of(context).prefix + table;
        return List.of(new SourceTable(
                name,
                database -> SchemaScript.create(Dialects.named(database))
                        .statementsFor(IdgenSchema.DEFAULT_PREFIX + table, name),
                context.get(INITIALIZE).createdBy()));
    }
}
