package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The DDL of idgen's tables for one database. Prints it, runs it, or provides it to Flyway. The scripts are resources
 * of this jar, {@code db/idgen/<database>/R__idgen_tables.sql} and {@code idgen/schema/<database>/drop.sql}. Immutable
 * and safe for many threads.
 *
 * <p>With Flyway, add idgen's location to the application's own. Its one migration is a repeatable one, so it has no
 * version that could collide with the application's, and no baseline skips it. Flyway runs it after the application's
 * versions. If these need idgen's tables, give idgen a history table of its own:
 *
 * <pre>{@code
 * Flyway.configure().dataSource(dataSource)
 *         .locations(new IdgenSchema(dataSource).flywayLocation()).table(IdgenSchema.FLYWAY_TABLE)
 *         .baselineOnMigrate(true).baselineVersion("0")
 *         .load().migrate();
 * }</pre>
 *
 * <p>With Liquibase, include {@value #LIQUIBASE_CHANGELOG}.
 */
public final class IdgenSchema {

    /** The Flyway history table for idgen's migrations: {@value}. */
    public static final String FLYWAY_TABLE = "idgen_schema_history";

    /** The Liquibase changelog that creates idgen's tables on each database: {@value}. */
    public static final String LIQUIBASE_CHANGELOG = "db/idgen/changelog.xml";

    /**
     * The history table for a Liquibase that runs idgen's changelog alone: {@value}. The table of its locks has the
     * suffix {@code _lock}.
     */
    public static final String LIQUIBASE_TABLE = "idgen_changelog";

    /** The default prefix of all table names: {@value}. */
    public static final String DEFAULT_PREFIX = SchemaScript.PREFIX;

    private static final System.Logger LOG = System.getLogger(IdgenSchema.class.getName());

    private static final int ATTEMPTS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern MADE = Pattern.compile("^\\w+ (TABLE|INTO) (?:IF (?:NOT )?EXISTS )?([^\\s(]+)");

    private final Transactions transactions;
    private final String prefix;

    /**
     * Creates the schema of one database. Opens no connection.
     *
     * @param dataSource provides connections that may run DDL
     */
    public IdgenSchema(DataSource dataSource) {
        this(new Transactions(Objects.requireNonNull(dataSource), TIMEOUT), DEFAULT_PREFIX);
    }

    private IdgenSchema(Transactions transactions, String prefix) {
        this.transactions = transactions;
        this.prefix = prefix;
    }

    /**
     * Returns a copy for tables with another prefix, or in another schema. Flyway has its own settings for both.
     *
     * @param newPrefix replaces {@value #DEFAULT_PREFIX}; to use another schema, begin it with the schema and a dot,
     *     for example {@code ids.app_}
     * @return a new schema
     * @throws IllegalArgumentException if table names cannot begin with the prefix
     */
    public IdgenSchema withPrefix(String newPrefix) {
        return new IdgenSchema(transactions, checked(newPrefix));
    }

    /**
     * Returns the statements that create the tables, for this database.
     *
     * @return statements that end in semicolons
     * @throws io.idgen.core.IdGenerationException if the database does not answer or idgen has no dialect for it
     */
    public String createScript() {
        return createScript(dialect().name(), prefix);
    }

    /**
     * Returns {@link #functionsScript(String, String)} for this database.
     *
     * @return a script for the database's client
     * @throws io.idgen.core.IdGenerationException if the database does not answer or idgen has no dialect for it
     * @throws IllegalArgumentException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public String functionsScript() {
        return functionsScript(dialect().name(), prefix);
    }

    /**
     * Returns the databases for which idgen has scripts.
     *
     * @return names for {@link #createScript(String, String)}
     */
    public static List<String> databases() {
        return Dialects.names();
    }

    /**
     * Returns the statements that create the tables, without a connection.
     *
     * @param database one of {@link #databases()}
     * @param prefix see {@link #withPrefix}
     * @return statements that end in semicolons
     * @throws IllegalArgumentException if the database is not known, or table names cannot begin with the prefix
     */
    public static String createScript(String database, String prefix) {
        return renamed(SchemaScript.create(Dialects.named(database)), checked(prefix))
                .text();
    }

    /**
     * Returns the statements that drop the tables, without a connection.
     *
     * @param database one of {@link #databases()}
     * @param prefix see {@link #withPrefix}
     * @return statements that end in semicolons
     * @throws IllegalArgumentException if the database is not known, or table names cannot begin with the prefix
     */
    public static String dropScript(String database, String prefix) {
        return renamed(SchemaScript.drop(Dialects.named(database)), checked(prefix))
                .text();
    }

    /**
     * Returns the statements that create the functions {@code idgen_next} and {@code idgen_next_range}. They let
     * triggers, scripts and other languages take ids of segments. Nothing runs them by default.
     *
     * @param database {@code postgresql}, {@code mariadb} or {@code mysql}
     * @param prefix see {@link #withPrefix}; it is also the prefix of the functions
     * @return a script for the database's client; on MariaDB and MySQL, it sets the delimiter
     * @throws IllegalArgumentException if there are no functions for the database, or table names cannot begin with the
     *     prefix
     */
    public static String functionsScript(String database, String prefix) {
        return renamed(SchemaScript.functions(Dialects.named(database)), checked(prefix))
                .text();
    }

    private static String checked(String prefix) {
        SqlName.parse(prefix + "segment", 1, 3);
        return prefix;
    }

    private static SchemaScript renamed(SchemaScript script, String prefix) {
        return new SchemaScript(script.text().replace(DEFAULT_PREFIX, prefix));
    }

    /**
     * Returns the Flyway location of idgen's migrations for this database.
     *
     * @return for example {@code classpath:db/idgen/postgresql}
     * @throws io.idgen.core.IdGenerationException if the database does not answer or idgen has no dialect for it
     */
    public String flywayLocation() {
        return "classpath:db/idgen/" + dialect().name();
    }

    /**
     * Creates the tables that do not exist. If all of them exist, the user needs no right to create tables. Blocks for
     * a few transactions.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer or rejects a statement, if a crash
     *     loses rows of a table that exists, or if idgen has no dialect for it
     */
    public void create() {
        for (String statement : renamed(scriptOfThisServer(), prefix).statements()) {
            create(statement);
            String table = made(statement).group(2);
            transactions.commit("checking for " + table, (connection, dialect) -> {
                Transactions.checkRowsSurvive(connection, dialect, table);
                return true;
            });
        }
    }

    /** Returns the script with the identity that this user's statements compare. The first rows have it. */
    private SchemaScript scriptOfThisServer() {
        return transactions.commit("reading the server's identity", (connection, dialect) -> {
            String script = SchemaScript.create(dialect).text();
            return new SchemaScript(
                    script.replace(dialect.serverIdentity(), dialect.serverIdentityOfLeases(connection)));
        });
    }

    /** Tries again, because no database sees what another transaction is about to commit. */
    private void create(String statement) {
        for (int attempt = 1; !isThere(statement); attempt++) {
            try {
                run("creating the tables of idgen", statement);
                return;
            } catch (AllocationException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Returns what a statement creates or drops: its kind, and its name. */
    private static Matcher made(String statement) {
        Matcher made = MADE.matcher(statement);
        if (!made.find()) {
            throw new IllegalStateException("not a statement of idgen's scripts: " + statement);
        }
        return made;
    }

    /** Returns whether the object that a statement creates or drops exists: a table, its first rows, or a function. */
    private boolean isThere(String statement) {
        Matcher made = made(statement);
        String name = made.group(2);
        boolean isTable = made.group(1).equals("TABLE");
        String condition = isTable ? "1 = 0" : "namespace = 'default' AND worker_id = 0";
        try {
            return run("checking for " + name, "SELECT 1 FROM " + name + " WHERE " + condition) || isTable;
        } catch (AllocationException e) {
            LOG.log(System.Logger.Level.DEBUG, "the object counts as missing", e);
            return false;
        }
    }

    /**
     * Returns whether the database is in the memory of this process, so that no other process can open it.
     *
     * @return false for a server and for every file
     * @throws io.idgen.core.IdGenerationException if the database does not answer or idgen has no dialect for it
     */
    public boolean isInMemory() {
        return transactions.commit(
                "reading the database's metadata", (connection, dialect) -> EmbeddedDatabase.isInMemory(connection));
    }

    /**
     * Drops the tables. The record of the ids in use is lost with them. Blocks for a few transactions.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer or rejects a statement, or if idgen
     *     has no dialect for it
     */
    public void drop() {
        for (String statement : renamed(SchemaScript.drop(dialect()), prefix).statements()) {
            if (isThere(statement)) {
                run("dropping the tables of idgen", statement);
            }
        }
    }

    private Dialect dialect() {
        return transactions.commit("reading the database's metadata", (connection, dialect) -> dialect);
    }

    /** Runs a statement, and returns whether it found a row. */
    private boolean run(String purpose, String sql) {
        return transactions.commit(purpose, (connection, dialect) -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql) && statement.getResultSet().next();
            }
        });
    }
}
