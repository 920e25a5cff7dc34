package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** MariaDB, through its own driver or through MySQL's: MySQL with sequences. Source: its manual, "CREATE SEQUENCE". */
public final class MariaDbDialect extends MySqlDialect {
    private static final int SEQUENCE_EXHAUSTED = 4084;
    private static final int UNKNOWN_VARIABLE = 1193;

    private static final String GALERA_CLUSTER = "(SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
            + " WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID' AND VARIABLE_VALUE RLIKE '[1-9a-f]')";

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("MariaDB") || (product.equals("MySQL") && isMariaDb(version));
    }

    /**
     * On Galera, each transaction first waits until this node has all commits of other nodes. Otherwise, a process with
     * connections to several nodes may not find its own last writes. On other servers this changes nothing. Source: the
     * manual, "wsrep_sync_wait": 1 for reads, 2 for updates and 4 for inserts.
     */
    @Override
    public Map<String, String> sessionProperties(Duration timeout) {
        return Map.of("sessionVariables", "autocommit=1,wsrep_sync_wait=7");
    }

    /** A server that is built without Galera does not know the variable. */
    @Override
    public boolean refusesSessionProperties(SQLException e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each instanceof SQLException cause && cause.getErrorCode() == UNKNOWN_VARIABLE) {
                return true;
            }
        }
        return false;
    }

    /**
     * On a Galera node, the identity is that of the cluster. On any other server, it consists of the replication id and
     * the location. {@code @@server_uid} is not suitable: it is a hash of the network card and the port, so a replica
     * that takes over on the same port has the same value. Built without Galera, MariaDB has no {@code @@wsrep_on},
     * and the status variable of the cluster is missing or empty.
     */
    @Override
    public String serverIdentity() {
        return hash("COALESCE(" + GALERA_CLUSTER + ", "
                + location(startIfCommitsMayBeLost("information_schema.GLOBAL_STATUS")) + ")");
    }

    @Override
    public String serverIdentityOfLeases(Connection connection) throws SQLException {
        checkBinaryLog(connection);
        return serverIdentity();
    }

    /**
     * On servers outside Galera, does not read the status, which takes as long as the rest of the statement. The
     * history is the position of the last replicated transaction, which the server also records without GTID
     * positioning.
     */
    @Override
    public CounterServer counterServer(Connection connection) throws SQLException {
        checkBinaryLog(connection);
        return isGalera(connection)
                ? CounterServer.of(hash("COALESCE(" + GALERA_CLUSTER + ", " + location(START) + ")"))
                : byStartOrHistory(location(START), "CONCAT(" + location("@@log_bin") + ", '|', @@gtid_slave_pos)");
    }

    private static boolean isGalera(Connection connection) throws SQLException {
        return new SqlText("SHOW GLOBAL VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'").finds(connection);
    }

    private static String location(String start) {
        return "CONCAT_WS('|', @@server_id, @@hostname, @@port, @@datadir, " + start + ")";
    }

    @Override
    public Failure failure(SQLException e) {
        return e.getErrorCode() == SEQUENCE_EXHAUSTED ? Failure.SEQUENCE_EXHAUSTED : super.failure(e);
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence);
    }

    /** Does not use a table {@code seq_1_to_…}, because that needs a plugin and a default database. */
    @Override
    public String nextValues(String sequence, int count) {
        return "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + count
                + ") SELECT NEXT VALUE FOR " + sequence + " FROM n";
    }

    @Override
    public Optional<String> nextValueWithFacts(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence + ", increment, cycle_option FROM " + sequence);
    }

    @Override
    public String rightToSequence(String sequence) {
        return "SELECT, INSERT ON " + sequence;
    }

    /** A sequence is a table with one row. */
    @Override
    public Optional<SequenceFacts> sequenceFacts(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        String table = (schema == null ? "" : "`" + schema + "`.") + "`" + name + "`";
        try {
            return SequenceFacts.find(connection, "SELECT increment, cycle_option FROM " + table, List.of());
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Each node of a Galera cluster advances its own copy of a sequence. Whether the cluster is free of repeated
     * values if the increment is 0, for which the nodes share the values out, depends on the version and on nodes
     * that leave.
     */
    @Override
    public Optional<String> sequenceRepeatsBecause(Connection connection) throws SQLException {
        return isGalera(connection)
                ? Optional.of("this is a Galera cluster, and several of its nodes may return it")
                : Optional.empty();
    }
}
