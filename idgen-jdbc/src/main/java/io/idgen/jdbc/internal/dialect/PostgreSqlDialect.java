package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. Source: its manual, "UPDATE … RETURNING", "pg_sequences", and appendix A, error codes. */
public final class PostgreSqlDialect implements Dialect {
    private static final String NO_SUCH_PREPARED_STATEMENT = "26000";
    private static final String DUPLICATE_PREPARED_STATEMENT = "42P05";
    private static final String PROTOCOL_VIOLATION = "08P01";
    private static final String FEATURE_NOT_SUPPORTED = "0A000";

    /**
     * Raises {@code synchronous_commit} from "off" to "local" for this transaction. "On" would wait for a synchronous
     * standby, which may be missing. This is part of the statement, so that it also works through a pooler, which keeps
     * no session.
     */
    private static final String RAISE_SYNCHRONOUS_COMMIT =
            "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'local'"
                    + " ELSE current_setting('synchronous_commit') END, true)";

    private static final String DURABLE = RAISE_SYNCHRONOUS_COMMIT + " IS NOT NULL";

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("PostgreSQL");
    }

    /**
     * The driver has no separate timeout for the response to a login, only {@code socketTimeout}. If the network drops
     * a statement, it also drops the request to cancel it, whose default timeout is ten seconds.
     */
    @Override
    public Map<String, String> connectionProperties(Duration timeout) {
        String seconds = Long.toString(Math.max(1, timeout.toSeconds()));
        return Map.of(
                "connectTimeout",
                seconds,
                "socketTimeout",
                seconds,
                "cancelSignalTimeout",
                "1",
                "prepareThreshold",
                "0"); // behind a pooler, the next transaction may use another session
    }

    /**
     * The server limits waits for locks, in milliseconds. Its limit is shorter than that of the driver, which only has
     * whole seconds.
     */
    @Override
    public Map<String, String> sessionProperties(Duration timeout) {
        return Map.of(
                "options",
                "-c lock_timeout=" + Math.max(1, timeout.toMillis() * 3 / 4)
                        + " -c default_transaction_isolation=read\\ committed");
    }

    /** PgBouncer reports "unsupported startup parameter: options". */
    @Override
    public boolean refusesSessionProperties(SQLException e) {
        return PROTOCOL_VIOLATION.equals(e.getSQLState()) || FEATURE_NOT_SUPPORTED.equals(e.getSQLState());
    }

    /** The body is in single quotes, not in dollar quotes, because some script readers do not support these. */
    @Override
    public String withoutWarning(String table, String statement) {
        String body =
                "BEGIN IF to_regclass('" + table.replace("'", "''") + "') IS NULL THEN " + statement + "; END IF; END";
        return "DO '" + body.replace("'", "''") + "'";
    }

    @Override
    public Optional<Returning> returning() {
        return Optional.of(Returning.row("", " RETURNING next_id"));
    }

    @Override
    public Optional<String> readCommittedTransaction() {
        return Optional.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    private static String text(String sequence) {
        return "'" + sequence.replace("'", "''") + "'";
    }

    @Override
    public String rowLock() {
        return " FOR UPDATE";
    }

    /** Does not use {@code now()}, which is the start of the transaction. */
    @Override
    public String nowMillis() {
        return "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    }

    @Override
    public String statementMillis() {
        return "floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint";
    }

    /**
     * The cluster and its timeline, which changes with a promotion. The timeline of the last checkpoint may lag behind,
     * so this reads that of the current position in the WAL.
     */
    @Override
    public String serverIdentity() {
        return "((SELECT system_identifier FROM pg_control_system())::text || '-'"
                + " || left(pg_walfile_name(pg_current_wal_lsn()), 8))";
    }

    @Override
    public Optional<String> durableCommit() {
        return Optional.of(DURABLE);
    }

    @Override
    public Optional<String> settingsThatLoseCommits() {
        return Optional.of("SELECT 'fsync=off' WHERE current_setting('fsync') = 'off'");
    }

    @Override
    public Optional<String> tableThatLosesRows() {
        return Optional.of("SELECT CASE relpersistence WHEN 'u' THEN 'it is UNLOGGED' ELSE 'it is temporary' END,"
                + " 'SET LOGGED' FROM pg_class WHERE relpersistence <> 'p'"
                + " AND oid = to_regclass(coalesce(nullif(CAST(? AS text), '') || '.', '') || CAST(? AS text))");
    }

    /** Also finds the policies behind a view, as {@code row_security_active} does not. */
    @Override
    public Optional<AllRows> allRows() {
        return Optional.of(new AllRows(
                "SET LOCAL row_security = off",
                "if a policy hides rows, use a user with BYPASSRLS, or set idgen.sources.<name>.start above all ids"));
    }

    @Override
    public Optional<String> columnDefault(boolean hasSchema) {
        String column = " THEN 'ALTER COLUMN ' || quote_ident(attname) || '";
        return Optional.of("(SELECT CASE WHEN attidentity = 'a'" + column + ACCEPT_VALUES
                + "' WHEN row_security_active(attrelid) THEN '" + ROWS_HIDDEN + "' WHEN attidentity = 'd'" + column
                + " DROP IDENTITY' WHEN atthasdef" + column + " DROP DEFAULT' END FROM pg_attribute"
                + " WHERE attrelid = to_regclass(" + (hasSchema ? "quote_ident(?) || '.' || " : "")
                + "quote_ident(?)) AND attname = ?)");
    }

    /** A standby also rejects the query for its WAL position. */
    @Override
    public Failure failure(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "42P01" -> Failure.MISSING_TABLE;
            case "40P01" -> Failure.ROLLED_BACK;
            case "55000" -> Failure.READ_ONLY;
            case NO_SUCH_PREPARED_STATEMENT, DUPLICATE_PREPARED_STATEMENT -> Failure.OTHER_SESSION;
            default -> Dialect.super.failure(e);
        };
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT nextval(" + text(sequence) + "), " + RAISE_SYNCHRONOUS_COMMIT);
    }

    /** The setting is in a table function, so that it is evaluated once. */
    @Override
    public String nextValues(String sequence, int count) {
        return "SELECT nextval(" + text(sequence) + ") FROM " + RAISE_SYNCHRONOUS_COMMIT + ", generate_series(1, "
                + count + ")";
    }

    /**
     * The function reads the increment as it is when it is called, after {@code nextval}; a query of {@code
     * pg_sequence} would return it as it was when the statement began.
     */
    @Override
    public Optional<String> nextValueWithFacts(String sequence) {
        String facts = "(pg_sequence_parameters(" + text(sequence) + "::regclass))";
        return Optional.of("SELECT nextval(" + text(sequence) + "), " + facts + ".increment, " + facts
                + ".cycle_option, " + RAISE_SYNCHRONOUS_COMMIT);
    }

    /** The first sequence on the search path, as {@code nextval} finds it. */
    @Override
    public Optional<SequenceFacts> sequenceFacts(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        return SequenceFacts.find(
                connection,
                "SELECT seqincrement, seqcycle FROM pg_sequence WHERE seqrelid = to_regclass(quote_ident(?)"
                        + (schema == null ? "" : " || '.' || quote_ident(?)") + ")",
                schema == null ? List.of(name) : List.of(schema, name));
    }
}
