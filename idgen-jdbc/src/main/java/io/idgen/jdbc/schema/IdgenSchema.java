package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
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
 * The tables of idgen on one database: their DDL to print, to run, or to give to Flyway. The scripts are resources of this
 * jar, {@code idgen/schema/<database>/create.sql} and {@code drop.sql}.
 *
 * <p>With Flyway, keep idgen's migrations apart from the application's: a location and a history table of their own. Run
 * them after the application's, whose first migration wants an empty schema.
 *
 * <pre>{@code
 * Flyway.configure().dataSource(dataSource)
 *         .locations(new IdgenSchema(dataSource).flywayLocation()).table(IdgenSchema.FLYWAY_TABLE)
 *         .baselineOnMigrate(true).baselineVersion("0")
 *         .load().migrate();
 * }</pre>
 */
public final class IdgenSchema {

    /** The history table for idgen's own migrations: {@value}. */
    public static final String FLYWAY_TABLE = "idgen_schema_history";

    /** What the names of all tables begin with if nothing else is said: {@value}. */
    public static final String DEFAULT_PREFIX = SchemaScript.PREFIX;

    private static final System.Logger LOG = System.getLogger(IdgenSchema.class.getName());

    private static final int ATTEMPTS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern MADE =
            Pattern.compile("^\\w+ (TABLE|FUNCTION|INTO) (?:IF (?:NOT )?EXISTS )?([^\\s(]+)");

    private final Transactions transactions;
    private final String prefix;

    /**
     * The tables of one database. Opens no connection.
     *
     * @param dataSource gives connections that may run DDL
     */
    public IdgenSchema(DataSource dataSource) {
        this(new Transactions(Objects.requireNonNull(dataSource), TIMEOUT), DEFAULT_PREFIX);
    }

    private IdgenSchema(Transactions transactions, String prefix) {
        this.transactions = transactions;
        this.prefix = prefix;
    }

    /**
     * The same with tables of other names, in another schema. Flyway has settings of its own for both.
     *
     * @param newPrefix what takes the place of {@value #DEFAULT_PREFIX}, with a schema and a dot before it if need be, for
     *     example {@code ids.app_}
     * @return tables
     * @throws IllegalArgumentException if table names cannot begin with it
     */
    public IdgenSchema withPrefix(String newPrefix) {
        return new IdgenSchema(transactions, checked(newPrefix));
    }

    /**
     * The statements that make the tables, for this database.
     *
     * @return statements that end in semicolons
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public String createScript() {
        return renamed(SchemaScript.of(dialect(), "create"), prefix).text();
    }

    /**
     * The statements that drop the tables, for this database.
     *
     * @return statements that end in semicolons
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public String dropScript() {
        return renamed(SchemaScript.of(dialect(), "drop"), prefix).text();
    }

    /**
     * The databases that scripts are there for.
     *
     * @return names as {@link #createScript(String, String)} takes them
     */
    public static List<String> databases() {
        return Dialects.names();
    }

    /**
     * The statements that make the tables, without asking a database.
     *
     * @param database one of {@link #databases()}
     * @param prefix as of {@link #withPrefix}
     * @return statements that end in semicolons
     * @throws IllegalArgumentException if the database is not known, or table names cannot begin with the prefix
     */
    public static String createScript(String database, String prefix) {
        return renamed(SchemaScript.of(Dialects.named(database), "create"), checked(prefix))
                .text();
    }

    /**
     * The statements that drop the tables, without asking a database.
     *
     * @param database one of {@link #databases()}
     * @param prefix as of {@link #withPrefix}
     * @return statements that end in semicolons
     * @throws IllegalArgumentException if the database is not known, or table names cannot begin with the prefix
     */
    public static String dropScript(String database, String prefix) {
        return renamed(SchemaScript.of(Dialects.named(database), "drop"), checked(prefix))
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
     * Where Flyway finds idgen's migrations for this database.
     *
     * @return for example {@code classpath:db/idgen/postgresql}
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public String flywayLocation() {
        return "classpath:db/idgen/" + dialect().name();
    }

    /**
     * Makes the tables that do not exist. Needs no right to make any if all are there.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer, is not known, or refuses
     */
    public void create() {
        for (String statement :
                renamed(SchemaScript.of(dialect(), "create"), prefix).statements()) {
            create(statement);
        }
    }

    private void create(String statement) {
        for (int attempt = 1; ; attempt++) {
            try {
                run("creating the tables of idgen", statement);
                return;
            } catch (AllocationException e) {
                if (isThere(statement)) {
                    return; // not every database has IF NOT EXISTS, or sees what another is about to commit
                }
                if (attempt == ATTEMPTS || e.code() == ErrorCode.STATEMENT_REFUSED) {
                    throw e;
                }
            }
        }
    }

    /** Whether what a statement makes or drops is there: a table, its first rows, or a function. */
    private boolean isThere(String statement) {
        Matcher made = MADE.matcher(statement);
        if (!made.find()) {
            throw new IllegalStateException("not a statement of idgen's scripts: " + statement);
        }
        String name = made.group(2);
        String probe = switch (made.group(1)) {
            case "TABLE" -> "SELECT 1 FROM " + name + " WHERE 1 = 0";
            case "INTO" -> "SELECT 1 FROM " + name + " WHERE namespace = 'default' AND worker_id = 0";
            default -> "VALUES " + name + "()";
        };
        try {
            return run("looking for " + name, probe) || !made.group(1).equals("INTO");
        } catch (AllocationException e) {
            LOG.log(System.Logger.Level.DEBUG, "taken for missing", e);
            return false;
        }
    }

    /**
     * Whether the database is in this process's memory, and so its own for certain.
     *
     * @return false for a server and for every file
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public boolean isInMemory() {
        return transactions.commit(
                "looking at the database", (connection, dialect) -> EmbeddedDatabase.isInMemory(connection));
    }

    /**
     * Drops the tables; what they know of ids given out is lost with them.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer, is not known, or refuses
     */
    public void drop() {
        for (String statement :
                renamed(SchemaScript.of(dialect(), "drop"), prefix).statements()) {
            if (isThere(statement)) {
                run("dropping the tables of idgen", statement);
            }
        }
    }

    private Dialect dialect() {
        return transactions.commit("looking at the database", (connection, dialect) -> dialect);
    }

    /** Runs a statement; gives whether it has found a row. */
    private boolean run(String purpose, String sql) {
        return transactions.commit(purpose, (connection, dialect) -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql) && statement.getResultSet().next();
            }
        });
    }
}
