package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Worker ids leased from a table that all processes share, with one row for each. A lease is taken and renewed by single
 * updates that change a row only if it is as it was last seen; no row is locked for longer than a statement, and no clock but
 * the database's counts.
 *
 * <p>Each row says which server has granted its ticks. Where another one answers, a replica that was promoted and may have lost
 * the last grants, a row's horizon is first advanced above all that can have been lost.
 *
 * <p>The row of worker id {@value WorkerRows#LAYOUT_ROW} holds the layout of its namespace. Each transaction that creates rows or changes
 * their layout locks that row first, so all rows of a namespace have one layout.
 *
 * <p>Immutable and safe for many threads. Each call is a transaction of its own on a connection of its own; do not give it the
 * pool whose threads wait for ids.
 */
public final class JdbcWorkerIds implements LeaseStore {

    /** The table's name where none is given: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_worker";

    private static final int OFFERS = 3;

    /** So many rows are looked at, those with the lowest horizons, and one of them taken at random. */
    private static final int CANDIDATES = 64;

    private static final int HOLDERS_NAMED = 3;
    private static final int LONGEST_INFO = 255;
    private static final String NO_TOKEN = "-";

    private final OwnTable table;
    private final SqlName name;
    private final Duration timeout;
    private final @Nullable String identity;

    /**
     * Leases from the table {@value #DEFAULT_TABLE}. Opens no connection.
     *
     * @param dataSource gives connections that idgen alone uses
     */
    public JdbcWorkerIds(DataSource dataSource) {
        this(
                new OwnTable(
                        new Transactions(Objects.requireNonNull(dataSource), TableAllocator.DEFAULT_TIMEOUT),
                        SqlName.parse(DEFAULT_TABLE, 1, 1),
                        DEFAULT_TABLE),
                SqlName.parse(DEFAULT_TABLE, 1, 1),
                TableAllocator.DEFAULT_TIMEOUT,
                null);
    }

    private JdbcWorkerIds(OwnTable table, SqlName name, Duration timeout, @Nullable String identity) {
        this.table = table.with(name, timeout);
        this.name = name;
        this.timeout = timeout;
        this.identity = identity;
    }

    /**
     * The same for a table of another name, with the same columns.
     *
     * @param newName plain or quoted, with its schema if need be
     * @return worker ids
     * @throws IllegalArgumentException if it is no name of a table
     */
    public JdbcWorkerIds inTable(String newName) {
        return new JdbcWorkerIds(table, SqlName.parse(newName, 1, 3), timeout, identity);
    }

    /**
     * The same with another limit on how long the database may take, to give a connection and then to answer each statement; 5 s
     * if not said.
     *
     * @param newTimeout 1 ms to 24 days
     * @return worker ids
     */
    public JdbcWorkerIds withTimeout(Duration newTimeout) {
        return new JdbcWorkerIds(table, name, TableAllocator.checkTimeout(newTimeout), identity);
    }

    /**
     * The same with a name for the database server in place of the identity that it reports: where that cannot be read, or
     * comes back after a failback. Use the same name in all processes, and a new one after each promotion.
     *
     * @param newIdentity 1 to 64 characters
     * @return worker ids
     */
    public JdbcWorkerIds identifiedAs(String newIdentity) {
        return new JdbcWorkerIds(table, name, timeout, ServerIdentity.check(newIdentity));
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        for (int attempt = 1; ; attempt++) {
            Candidates candidates =
                    in("looking for a free worker id", (connection, sql) -> candidates(connection, sql, terms, token));
            if (!candidates.rows().isEmpty() || attempt == OFFERS) {
                return candidates;
            }
            Room room = in("looking at the worker ids", (connection, sql) -> room(connection, terms));
            if (room.otherLayout != null) {
                if (!takeOver(terms)) {
                    throw otherLayout(terms, room.otherLayout);
                }
            } else if (room.rows > 0) {
                return candidates; // all are leased
            } else {
                createRows(terms);
            }
        }
    }

    private AllocationException otherLayout(Terms terms, String layout) {
        return new AllocationException(
                ErrorCode.LAYOUT_MISMATCH,
                "the worker ids of namespace '" + terms.namespace() + "' in " + table + " belong to layout " + layout
                        + ", and this process has " + terms.layout()
                        + "; set that layout, or stop all processes of the namespace and change its layout by"
                        + " JdbcWorkerIds.changeLayout");
    }

    private Candidates candidates(Connection connection, Sql sql, Terms terms, @Nullable String token)
            throws SQLException {
        long gap = Math.max(terms.window().toMillis(), longestWindow(connection, terms)) + SERVER_SKEW.toMillis();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT worker_id, fence, horizon, CASE WHEN server_id = " + sql.identity
                        + " THEN 1 ELSE 0 END, " + sql.now
                        + ", owner_token FROM " + table
                        + " WHERE namespace = ? AND layout = ? AND worker_id BETWEEN ? AND ?"
                        + " AND (lease_until < " + sql.now + " OR owner_token = ?) ORDER BY horizon, worker_id")) {
            statement.setMaxRows(CANDIDATES + terms.excluded().size());
            new Parameters(statement).identity(sql).room(terms).add(token == null ? NO_TOKEN : token);
            List<Row> rows = new ArrayList<>();
            long now = 0;
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    if (!terms.excluded().contains(found.getInt(1))) {
                        rows.add(new Row(
                                found.getInt(1),
                                found.getLong(2),
                                found.getLong(3),
                                found.getInt(4) == 1,
                                found.getString(6) != null));
                        now = found.getLong(5);
                    }
                }
            }
            return new Candidates(now, gap, rows);
        }
    }

    private long longestWindow(Connection connection, Terms terms) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT MAX(longest_window) FROM " + table + " WHERE namespace = ?")) {
            statement.setString(1, terms.namespace());
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    /** How many rows of its layout a generator could lease at best, and another layout that rows of its namespace have. */
    private record Room(long rows, @Nullable String otherLayout) {}

    private long now(Connection connection, Sql sql, Terms terms) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT MAX(" + sql.now + ") FROM " + table + " WHERE namespace = ?")) {
            statement.setString(1, terms.namespace());
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    private Room room(Connection connection, Terms terms) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT COUNT(CASE WHEN layout = ? AND worker_id BETWEEN ? AND ? THEN 1 END),"
                        + " MAX(CASE WHEN layout <> ? THEN layout END) FROM " + table + " WHERE namespace = ?")) {
            String layout = terms.layout().toString();
            statement.setString(1, layout);
            statement.setInt(2, terms.firstWorkerId());
            statement.setInt(3, terms.firstWorkerId() + terms.workers() - 1);
            statement.setString(4, layout);
            statement.setString(5, terms.namespace());
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return new Room(found.getLong(1), found.getString(2));
            }
        }
    }

    /**
     * Creates the rows of a namespace that a generator can lease, and with its first rows the one that holds its layout. They
     * have no server: whether this one has granted ticks of theirs and lost the rows, nobody knows. In the memory of this
     * process it cannot have.
     */
    private void createRows(Terms terms) {
        table.in("creating the worker ids of '" + terms.namespace() + "'", (connection, dialect) -> {
            Sql sql = sql(dialect);
            boolean certain = EmbeddedDatabase.isInMemory(connection);
            boolean isFirst = lockLayout(connection, terms.namespace()) == 0;
            String otherLayout = room(connection, terms).otherLayout;
            if (otherLayout != null) {
                connection.rollback(); // another process has just created them with its own
                return false;
            }
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table
                    + " (namespace, worker_id, layout, fence, lease_until, horizon, longest_window, server_id)"
                    + " VALUES (?, ?, ?, 0, 0, 0, 0, " + (certain ? sql.identity : "NULL") + ")")) {
                if (isFirst) {
                    addRow(statement, terms, WorkerRows.LAYOUT_ROW, certain, sql);
                }
                for (int workerId = terms.firstWorkerId();
                        workerId < terms.firstWorkerId() + terms.workers();
                        workerId++) {
                    addRow(statement, terms, workerId, certain, sql);
                }
                statement.executeBatch();
            } catch (SQLException e) {
                if (!isDuplicate(dialect, e)) {
                    throw e;
                }
                connection.rollback(); // another process has just created them
            }
            return true;
        });
    }

    private static void addRow(PreparedStatement statement, Terms terms, int workerId, boolean certain, Sql sql)
            throws SQLException {
        Parameters parameters = new Parameters(statement).row(terms, workerId);
        if (certain) {
            parameters.identity(sql);
        }
        statement.addBatch();
    }

    /** Keeps all others who would change the layouts of a namespace waiting until this transaction ends. */
    private int lockLayout(Connection connection, String namespace) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                + " SET layout = layout WHERE namespace = ? AND worker_id = " + WorkerRows.LAYOUT_ROW)) {
            statement.setString(1, namespace);
            return statement.executeUpdate();
        }
    }

    /**
     * Gives all rows of a namespace this layout, if no process has used one of them: those of the scripts have the default
     * layout, whatever the first process will have. All or none, in one transaction: a process that leases a row at this moment
     * has changed its fence, or finds none of its layout.
     */
    private boolean takeOver(Terms terms) {
        return table.in("giving worker ids their layout", (connection, dialect) -> {
            Sql sql = sql(dialect);
            lockLayout(connection, terms.namespace());
            try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET layout = ? WHERE namespace = ? AND fence = 0 AND horizon = 0 AND server_id = "
                    + sql.identity)) {
                new Parameters(statement)
                        .add(terms.layout().toString())
                        .add(terms.namespace())
                        .identity(sql);
                statement.executeUpdate();
            }
            if (room(connection, terms).otherLayout != null) {
                connection.rollback();
                return false;
            }
            return true;
        });
    }

    /**
     * Moves a namespace to another layout in one step: while none of its worker ids is leased, the horizons of all lie in the
     * past, and the ids of the new layout lie above those of the old one.
     *
     * @param namespace of the worker ids
     * @param from what its rows have
     * @param to what they shall have
     * @throws AllocationException if that is not so, or the database refuses; nothing is changed then
     */
    public void changeLayout(String namespace, SnowflakeLayout from, SnowflakeLayout to) {
        table.in("moving '" + namespace + "' in " + table + " to layout " + to, (connection, dialect) -> {
            Sql sql = sql(dialect);
            lockLayout(connection, namespace);
            Terms all = new Terms(namespace, from, 0, Integer.MAX_VALUE, Duration.ZERO, Duration.ZERO);
            Room room = room(connection, all);
            if (room.rows == 0 || room.otherLayout != null) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + namespace + "' in " + table + " has "
                                + (room.otherLayout == null ? "no worker ids" : "layout " + room.otherLayout)
                                + ", not layout " + from + "; name the layout that it has");
            }
            Instant now = Instant.ofEpochMilli(now(connection, sql, all));
            if (to.firstIdAt(now) <= from.firstIdAt(now.plus(from.tick()))) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "ids of layout " + to + " begin at " + to.firstIdAt(now) + " now, below those of " + from
                                + ", which are at " + from.firstIdAt(now)
                                + "; choose an earlier epoch or more time bits");
            }
            try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET layout = ?, fence = fence + 1 WHERE namespace = ? AND layout = ? AND (worker_id = "
                    + WorkerRows.LAYOUT_ROW + " OR lease_until < " + sql.now + " AND horizon <= " + sql.now + ")")) {
                statement.setString(1, to.toString());
                statement.setString(2, namespace);
                statement.setString(3, from.toString());
                statement.executeUpdate();
            }
            long left = room(connection, all).rows;
            if (left > 0) {
                throw new AllocationException(
                        ErrorCode.NAMESPACE_IN_USE,
                        left + " worker ids of namespace '" + namespace + "' with layout " + from
                                + " are leased or have a horizon in the future; stop all processes, and wait for a window");
            }
            return true;
        });
    }

    private static boolean isDuplicate(Dialect dialect, SQLException e) {
        for (SQLException each = e; each != null; each = each.getNextException()) {
            if (dialect.isDuplicateKey(each)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return update("leasing worker id " + row.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = ?, lease_until = " + sql.now + " + ?, horizon = ?,"
                    + " longest_window = CASE WHEN longest_window < ? THEN ? ELSE longest_window END, owner_info = ?"
                    + WHERE_ROW + " AND fence = ? AND horizon = ? AND (lease_until < " + sql.now
                    + " OR owner_token = ?) AND " + sql.now + " + ? >= ? AND server_id = " + sql.identity
                    + sql.durable);
            long window = terms.window().toMillis();
            Parameters parameters = new Parameters(statement)
                    .add(lease.token())
                    .add(terms.lease().toMillis())
                    .add(lease.horizonMillis())
                    .add(window)
                    .add(window)
                    .add(OWNER)
                    .row(terms, row.workerId())
                    .add(row.fence())
                    .add(row.horizonMillis())
                    .add(token == null ? NO_TOKEN : token);
            parameters.add(window).add(lease.horizonMillis()).identity(sql);
            return statement;
        });
    }

    @Override
    public boolean advance(Terms terms, Row row, long horizonMillis, long gapMillis) {
        return update("advancing worker id " + row.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = NULL, lease_until = 0, horizon = ?, server_id = "
                    + sql.identity + WHERE_ROW
                    + " AND fence = ? AND horizon = ? AND (server_id IS NULL OR server_id <> "
                    + sql.identity + ") AND " + sql.now + " + ? <= ?");
            new Parameters(statement)
                    .add(horizonMillis)
                    .identity(sql)
                    .row(terms, row.workerId())
                    .add(row.fence())
                    .add(row.horizonMillis())
                    .identity(sql)
                    .add(gapMillis)
                    .add(horizonMillis);
            return statement;
        });
    }

    @Override
    public Optional<LeaseView> look(Terms terms, Lease lease) {
        return in("looking at worker id " + lease.workerId(), (connection, sql) -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + sql.now
                    + ", fence, owner_token, horizon, CASE WHEN server_id = " + sql.identity
                    + " THEN 1 ELSE 0 END FROM " + table + WHERE_ROW)) {
                new Parameters(statement).identity(sql).row(terms, lease.workerId());
                try (ResultSet found = statement.executeQuery()) {
                    if (!found.next()) {
                        return Optional.empty();
                    }
                    boolean held =
                            found.getLong(2) == lease.fence() && lease.token().equals(found.getString(3));
                    return Optional.of(new LeaseView(found.getLong(1), held, found.getLong(4), found.getInt(5) == 1));
                }
            }
        });
    }

    @Override
    public boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return update("extending the lease of worker id " + lease.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET horizon = ?, lease_until = "
                    + sql.now + " + ?" + WHERE_ROW + WHERE_HELD + " AND " + sql.now + " + ? >= ? AND server_id = "
                    + sql.identity + sql.durable);
            new Parameters(statement)
                    .add(horizonMillis)
                    .add(terms.lease().toMillis())
                    .row(terms, lease.workerId())
                    .held(lease)
                    .add(terms.window().toMillis())
                    .add(horizonMillis)
                    .identity(sql);
            return statement;
        });
    }

    @Override
    public boolean renew(Terms terms, Lease lease) {
        return update("renewing the lease of worker id " + lease.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement(
                    "UPDATE " + table + " SET lease_until = " + sql.now + " + ?" + WHERE_ROW + WHERE_HELD);
            new Parameters(statement)
                    .add(terms.lease().toMillis())
                    .row(terms, lease.workerId())
                    .held(lease);
            return statement;
        });
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return update("giving worker id " + lease.workerId() + " back", (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET owner_token = NULL, lease_until = 0, horizon = ?" + WHERE_ROW + WHERE_HELD);
            new Parameters(statement)
                    .add(horizonMillis)
                    .row(terms, lease.workerId())
                    .held(lease);
            return statement;
        });
    }

    @Override
    public Optional<RowState> state(Terms terms, int workerId) {
        return in("looking at worker id " + workerId, (connection, sql) -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + sql.now
                    + ", fence, horizon, CASE WHEN server_id = " + sql.identity
                    + " THEN 1 ELSE 0 END, owner_token, lease_until, owner_info FROM " + table + WHERE_ROW)) {
                new Parameters(statement).identity(sql).row(terms, workerId);
                try (ResultSet found = statement.executeQuery()) {
                    return found.next() ? Optional.of(state(found)) : Optional.empty();
                }
            }
        });
    }

    private static RowState state(ResultSet found) throws SQLException {
        long leaseUntil = found.getLong(6);
        boolean reserved = leaseUntil >= WorkerRows.ENDLESS;
        String token = found.getString(5);
        if (reserved && token != null) {
            token = token.startsWith(WorkerRows.RESERVED + ":")
                    ? token.substring(WorkerRows.RESERVED.length() + 1)
                    : null;
        }
        return new RowState(
                found.getLong(1),
                found.getLong(2),
                found.getLong(3),
                found.getInt(4) == 1,
                reserved,
                token,
                reserved ? leaseUntil - WorkerRows.ENDLESS : leaseUntil,
                Objects.requireNonNullElse(found.getString(7), "unknown"));
    }

    @Override
    public boolean reserve(Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis) {
        return update("reserving worker id " + workerId, (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement(
                    "UPDATE " + table + " SET fence = fence + 1, owner_token = ?, lease_until = "
                            + (token == null ? "?" : sql.now + " + ?") + ", horizon = ?, owner_info = ?, server_id = "
                            + sql.identity + WHERE_ROW + " AND fence = ? AND horizon = ? AND (server_id = "
                            + sql.identity + " OR owner_token = ?)" + sql.durable);
            new Parameters(statement)
                    .add(token == null ? WorkerRows.RESERVED : WorkerRows.RESERVED + ":" + token)
                    .add(
                            token == null
                                    ? WorkerRows.ENDLESS
                                    : WorkerRows.ENDLESS + terms.lease().toMillis())
                    .add(horizonMillis)
                    .add(OWNER)
                    .identity(sql)
                    .row(terms, workerId)
                    .add(seen.fence())
                    .add(seen.horizonMillis())
                    .identity(sql)
                    .add(WorkerRows.RESERVED + ":" + (token == null ? seen.token() : token));
            return statement;
        });
    }

    @Override
    public String holders(Terms terms) {
        return in("looking who holds the worker ids", (connection, sql) -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT worker_id, lease_until, owner_info FROM "
                            + table + " WHERE namespace = ? AND layout = ? AND worker_id BETWEEN ? AND ?"
                            + " ORDER BY lease_until")) {
                statement.setMaxRows(HOLDERS_NAMED);
                new Parameters(statement).room(terms);
                StringJoiner holders = new StringJoiner("; ", "the oldest leases are ", "");
                try (ResultSet found = statement.executeQuery()) {
                    while (found.next()) {
                        holders.add("worker id " + found.getInt(1)
                                + (found.getLong(2) >= WorkerRows.ENDLESS
                                        ? ", reserved for " + found.getString(3)
                                        : ", by " + found.getString(3) + " until "
                                                + Instant.ofEpochMilli(found.getLong(2))));
                    }
                }
                return holders.toString();
            }
        });
    }

    // ---- statements ----

    private static final String WHERE_ROW = " WHERE namespace = ? AND worker_id = ? AND layout = ?";
    private static final String WHERE_HELD = " AND owner_token = ? AND fence = ? AND horizon = ?";

    /** Who this process is, for a person who reads the table. */
    private static final String OWNER = owner();

    private static String owner() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "a host without a name";
        }
        String owner = ProcessHandle.current().pid() + "@" + host;
        return owner.substring(0, Math.min(owner.length(), LONGEST_INFO));
    }

    /**
     * The expressions of a database for its time and its identity, and the condition for a durable commit.
     *
     * @param given the identity, where the database is not asked: the expression is a parameter then
     */
    private record Sql(
            String now, String identity, @Nullable String given, String durable) {}

    private Sql sql(Dialect dialect) {
        String now = dialect.nowMillis()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE,
                        "the dialect " + dialect.name()
                                + " has no clock (Dialect.nowMillis), without which no worker id can be leased; choose another"
                                + " idgen.worker.assigner"));
        return new Sql(
                now,
                identity == null ? dialect.serverIdentity() : "?",
                identity,
                dialect.durableCommit().map(" AND "::concat).orElse(""));
    }

    private interface Work<T> {
        T in(Connection connection, Sql sql) throws SQLException;
    }

    private <T> T in(String purpose, Work<T> work) {
        return table.each(purpose + " in " + table, (connection, dialect) -> work.in(connection, sql(dialect)));
    }

    private boolean update(String purpose, Work<PreparedStatement> work) {
        return in(purpose, (connection, sql) -> {
            try (PreparedStatement statement = work.in(connection, sql)) {
                return statement.executeUpdate() == 1;
            }
        });
    }

    /** The parameters of a statement, one after the other. */
    private static final class Parameters {
        private final PreparedStatement statement;
        private int index = 1;

        Parameters(PreparedStatement statement) {
            this.statement = statement;
        }

        Parameters add(long value) throws SQLException {
            statement.setLong(index++, value);
            return this;
        }

        Parameters add(String value) throws SQLException {
            statement.setString(index++, value);
            return this;
        }

        /** Where the statement has the expression for the server's identity. */
        Parameters identity(Sql sql) throws SQLException {
            return sql.given == null ? this : add(sql.given);
        }

        Parameters room(Terms terms) throws SQLException {
            add(terms.namespace()).add(terms.layout().toString());
            statement.setInt(index++, terms.firstWorkerId());
            statement.setInt(index++, terms.firstWorkerId() + terms.workers() - 1);
            return this;
        }

        Parameters row(Terms terms, int workerId) throws SQLException {
            add(terms.namespace());
            statement.setInt(index++, workerId);
            return add(terms.layout().toString());
        }

        Parameters held(Lease lease) throws SQLException {
            return add(lease.token()).add(lease.fence()).add(lease.horizonMillis());
        }
    }

    @Override
    public String toString() {
        return "worker ids in " + table;
    }
}
