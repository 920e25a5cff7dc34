package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.internal.SqlName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
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

    private static final int ATTEMPTS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern STATEMENT_END = Pattern.compile(";\\s*(\\n|$)");

    private final Transactions transactions;

    /**
     * The tables of one database. Opens no connection.
     *
     * @param dataSource gives connections that may run DDL
     */
    public IdgenSchema(DataSource dataSource) {
        this.transactions = new Transactions(Objects.requireNonNull(dataSource), TIMEOUT);
    }

    /**
     * The statements that make the tables, for this database.
     *
     * @return statements that end in semicolons
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public String createScript() {
        return createScript(dialect());
    }

    /**
     * The statements that drop the tables, for this database.
     *
     * @return statements that end in semicolons
     * @throws io.idgen.core.IdGenerationException if the database does not answer or is not known
     */
    public String dropScript() {
        return script(dialect(), "drop");
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
     * Makes the tables that do not exist.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer, is not known, or refuses
     */
    public void create() {
        for (int attempt = 1; ; attempt++) {
            try {
                run("creating the tables of idgen", createScript());
                return;
            } catch (AllocationException e) {
                // PostgreSQL: IF NOT EXISTS does not see what another transaction is about to commit
                if (attempt == ATTEMPTS || !(e.getCause() instanceof SQLException cause) || !isConflict(cause)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isConflict(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("23") || state.startsWith("42"));
    }

    /**
     * Drops the tables; what they know of ids given out is lost with them.
     *
     * @throws io.idgen.core.IdGenerationException if the database does not answer, is not known, or refuses
     */
    public void drop() {
        run("dropping the tables of idgen", dropScript());
    }

    static String createScript(Dialect dialect) {
        return script(dialect, "create");
    }

    /** The statement for a segment table of another name. */
    static String createScript(Dialect dialect, SqlName segmentTable) {
        return createScript(dialect).replace(SegmentTable.DEFAULT_TABLE, segmentTable.toString());
    }

    private Dialect dialect() {
        return transactions.commit("looking at the database", Dialects::of);
    }

    private void run(String purpose, String script) {
        transactions.commit(purpose, connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : STATEMENT_END.splitAsStream(script).toList()) {
                    statement.execute(sql);
                }
            }
            return true;
        });
    }

    private static String script(Dialect dialect, String name) {
        String path = "/idgen/schema/" + dialect.name() + "/" + name + ".sql";
        try (InputStream in = Objects.requireNonNull(IdgenSchema.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }
}
