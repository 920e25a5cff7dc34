package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * MySQL. Source: its manual, "LAST_INSERT_ID(expr)". The server stores the value of the expression, and returns it with
 * the response to the statement.
 */
class MySqlDialect implements Dialect {
    private static final AutoCommit AUTO_COMMIT = new AutoCommit("@@autocommit = 1", "SET autocommit = 1");

    private static final int TABLE_ACCESS_DENIED = 1142;
    static final int NO_SUCH_TABLE = 1146;

    private static final String MEMBERS = "performance_schema.replication_group_member_stats";
    private static final String GROUP = "(SELECT SUBSTRING_INDEX(VIEW_ID, ':', 1) FROM " + MEMBERS
            + " WHERE MEMBER_ID = @@server_uuid AND VIEW_ID <> '')";

    /** With a binary log, recovery rolls back transactions that the log has lost. Source: the manual, "sync_binlog". */
    private static final String COMMITS_ARE_DURABLE =
            "@@innodb_flush_log_at_trx_commit = 1 AND (NOT @@log_bin OR @@sync_binlog = 1)";

    /**
     * The second in which the server started. {@code UUID_SHORT} contains it above a counter of 24 bits, so no query of
     * the status is necessary. When the counter overflows, idgen takes the server for another one.
     */
    static final String START = "UUID_SHORT() DIV 16777216";

    /**
     * The transactions of other servers that this one has executed, with their tags: all GTIDs but those of its own
     * UUID. Nobody replicates a server without a binary log, so that one needs no history.
     */
    private static final String GTIDS_OF_OTHERS = "IF(@@log_bin, IF(@@gtid_mode = 'ON',"
            + " REGEXP_REPLACE(CONCAT(',', REPLACE(@@gtid_executed, CHAR(10), '')), CONCAT(',', @@server_uuid, '[^,]*'), ''),"
            + " NULL), '-')";

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("MySQL") && !isMariaDb(version);
    }

    @Override
    public Map<String, String> connectionProperties(Duration timeout) {
        String millis = Long.toString(Math.min(timeout.toMillis(), Integer.MAX_VALUE));
        return Map.of("connectTimeout", millis, "socketTimeout", millis, "sessionVariables", "autocommit=1");
    }

    /** MySQL's driver calls MariaDB "MySQL" as well, but the version differs. */
    static boolean isMariaDb(String version) {
        return version.contains("MariaDB");
    }

    /**
     * InnoDB locks and reads the newest row for updates. Only plain queries read a snapshot ("Consistent Nonlocking
     * Reads").
     */
    @Override
    public boolean updatesReadCommitted() {
        return true;
    }

    @Override
    public Optional<Returning> returning() {
        return Optional.of(new Returning("", "LAST_INSERT_ID(next_id + ?)", "", true));
    }

    @Override
    public String rowLock() {
        return " FOR UPDATE";
    }

    /**
     * {@code UNIX_TIMESTAMP} converts through the session's time zone, and is wrong for an hour when daylight saving
     * ends.
     */
    @Override
    public String nowMillis() {
        return "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";
    }

    /** A column of MariaDB may also have a sequence as its default. */
    @Override
    public Optional<String> columnDefault(boolean hasSchema) {
        return Optional.of("(SELECT CASE WHEN EXTRA LIKE '%auto_increment%' OR COLUMN_DEFAULT LIKE 'nextval%'"
                + " THEN CONCAT('MODIFY `', COLUMN_NAME, '` ', COLUMN_TYPE, ' NOT NULL') END"
                + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = " + (hasSchema ? "?" : "DATABASE()")
                + " AND TABLE_NAME = ? AND COLUMN_NAME = ?)");
    }

    @Override
    public String serverIdentity() {
        return hash(server(startIfCommitsMayBeLost("performance_schema.global_status")));
    }

    /**
     * In a group of Group Replication, the identity is that of the group, if the user may read it: the first part of
     * the view id, which is the time at which the group was bootstrapped. A group that has kept its majority has lost
     * nothing, whichever nodes have failed. When it is bootstrapped again, commits may be missing, and the identity is
     * another one. Without the right, each node counts as another server, which is safe but skips ids.
     */
    @Override
    public String serverIdentityOfLeases(Connection connection) throws SQLException {
        checkBinaryLog(connection);
        return isInGroup(connection)
                ? hash("COALESCE(" + GROUP + ", " + server(startIfCommitsMayBeLost("performance_schema.global_status"))
                        + ")")
                : serverIdentity();
    }

    @Override
    public CounterServer counterServer(Connection connection) throws SQLException {
        checkBinaryLog(connection);
        return isInGroup(connection)
                ? CounterServer.of(hash("COALESCE(" + GROUP + ", " + server(START) + ")"))
                : byStartOrHistory(server(START), "CONCAT(@@server_uuid, '|', " + GTIDS_OF_OTHERS + ")");
    }

    /**
     * A server that is this one by its start or by its history. The start changes with each restart, the history when
     * the server executes a transaction of another one: so neither a restart of a primary nor a heartbeat that a
     * passive primary writes makes it another server, and a former primary that returns is another one in both. The
     * history is unknown, and equal to none, where a crash may lose commits.
     *
     * @param history an expression; null if it cannot be known
     */
    static CounterServer byStartOrHistory(String start, String history) {
        String byStart = "LEFT(" + hash(start) + ", 32)";
        String byHistory = "LEFT(" + hash("IF(" + COMMITS_ARE_DURABLE + ", " + history + ", NULL)") + ", 32)";
        return new CounterServer(
                "CONCAT(" + byStart + ", COALESCE(" + byHistory + ", ''))",
                "(LEFT(server_id, 32) = " + byStart + " OR SUBSTR(server_id, 33) = " + byHistory + ")",
                true);
    }

    private static String server(String start) {
        return "CONCAT_WS('|', @@server_uuid, " + start + ")";
    }

    /**
     * Refuses a server that logs statements. A replica compares its own identity when it executes them again, so it
     * finds no row and misses the change. A later MySQL may lack the variable.
     */
    static void checkBinaryLog(Connection connection) throws SQLException {
        SqlText logged = new SqlText(
                "SHOW VARIABLES WHERE Variable_name = 'binlog_format'" + " AND Value = 'STATEMENT' AND @@log_bin = 1");
        if (logged.finds(connection)) {
            throw new SQLException(
                    "binlog_format=STATEMENT: a replica would miss what idgen changes, because it compares its own"
                            + " identity; set binlog_format=ROW",
                    "42000");
        }
    }

    /** Returns whether Group Replication is loaded and the user may read its state. */
    private static boolean isInGroup(Connection connection) throws SQLException {
        try {
            return new SqlText("SELECT 1 FROM " + MEMBERS + " LIMIT 1").finds(connection);
        } catch (SQLException e) {
            if (e.getErrorCode() == TABLE_ACCESS_DENIED || e.getErrorCode() == NO_SUCH_TABLE) {
                return false;
            }
            throw e;
        }
    }

    /**
     * If the server has {@code autocommit=0}, Connector/J with {@code useLocalSessionState=true} does not know it, nor
     * does MariaDB's driver on MySQL, whose first message always reports 1 (MySQL's bug 66884).
     */
    @Override
    public Optional<AutoCommit> autoCommit() {
        return Optional.of(AUTO_COMMIT);
    }

    @Override
    public Optional<String> settingsThatLoseCommits() {
        return Optional.of("SELECT CONCAT('innodb_flush_log_at_trx_commit=', @@innodb_flush_log_at_trx_commit,"
                + " IF(@@log_bin, CONCAT(', sync_binlog=', @@sync_binlog), '')) FROM DUAL WHERE NOT ("
                + COMMITS_ARE_DURABLE + ")");
    }

    /** A table of MyISAM, Aria or MEMORY. */
    @Override
    public Optional<String> tableThatLosesRows() {
        return Optional.of("SELECT CONCAT('its engine ', t.ENGINE, ' has no transactions'), 'ENGINE = InnoDB'"
                + " FROM information_schema.TABLES t JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE"
                + " WHERE e.TRANSACTIONS = 'NO' AND t.TABLE_SCHEMA = COALESCE(NULLIF(REPLACE(?, '`', ''), ''), DATABASE())"
                + " AND t.TABLE_NAME = REPLACE(?, '`', '')");
    }

    /**
     * The result is ASCII, which can be compared with a column of any character set. The hash fits the column, even if
     * the parts do not. MySQL 9.7 has {@code SHA1} only with a component.
     */
    static String hash(String identity) {
        return "CONVERT(SHA2(" + identity + ", 256) USING ascii)";
    }

    /**
     * The second in which the server started, if a crash may lose acknowledged commits. The server then counts as
     * another one after a restart. Null if commits are durable, so that a restart changes nothing.
     */
    static String startIfCommitsMayBeLost(String globalStatus) {
        return "IF(" + COMMITS_ARE_DURABLE + ", NULL, (SELECT UNIX_TIMESTAMP() - VARIABLE_VALUE FROM " + globalStatus
                + " WHERE VARIABLE_NAME = 'UPTIME'))";
    }

    /** A lock timeout rolls back only its own statement. idgen rolls back the earlier ones, as after other failures. */
    @Override
    public Failure failure(SQLException e) {
        return switch (e.getErrorCode()) {
            case 1062 -> Failure.DUPLICATE_KEY;
            case TABLE_ACCESS_DENIED -> Failure.FORBIDDEN;
            // a lock wait timeout; a transaction that a group of servers has rolled back
            case 1205, 3101 -> Failure.ROLLED_BACK;
            // a commit that gave way to a transaction of another node has the deadlock in its message
            case 1180 ->
                String.valueOf(e.getMessage()).contains("error 149 ") ? Failure.ROLLED_BACK : Dialect.super.failure(e);
            // a statement that cannot be logged; a column in a character set without the letters of a name
            case 1665, 1267, 1366, 3854 -> Failure.REFUSED;
            // a read-only server, mode or transaction
            case 1290, 1836, 1792 -> Failure.READ_ONLY;
            default -> Dialect.super.failure(e);
        };
    }
}
