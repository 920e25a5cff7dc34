package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.WorkerTable.Parameters;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases worker ids from a table that all processes share, with one row per worker id. A process acquires and renews a
 * lease by single updates, which change a row only if it has not changed since it was read. No row is locked for longer
 * than a statement. Only the database's clock counts.
 *
 * <p>Each row stores the server that granted its ticks. If another server answers, it may be a promoted replica that
 * has lost the last grants. The row's horizon is then first advanced above all ticks that may have been lost.
 *
 * <p>Immutable and safe for many threads. Each call is a transaction of its own on a connection of its own. Do not pass
 * the pool whose threads wait for ids.
 */
public final class JdbcWorkerIds implements LeaseStore {

    /** The default name of the table: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_worker";

    /**
     * How often to look for candidates. Between two attempts, unused rows get the layout of the terms, their window is
     * announced, or missing rows are created.
     */
    private static final int OFFERS = 4;

    /** How many free rows a query reads, in addition to excluded ones: those with the lowest horizons. */
    private static final int CANDIDATES = 64;

    private static final String NO_TOKEN = "-";

    /** No row has this worker id. */
    private static final int NO_ROW = WorkerRows.LAYOUT_ROW - 1;

    static final String WHERE_ROW = " WHERE namespace = ? AND worker_id = ? AND layout = ?";
    static final String WHERE_HELD = " AND owner_token = ? AND fence = ? AND horizon = ?";

    private final WorkerTable table;
    private final String owner;
    private final NamespaceRows namespaceRows;
    private final SetBackRows setBackRows;

    /**
     * Creates a lease store on the table {@value #DEFAULT_TABLE}. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public JdbcWorkerIds(DataSource dataSource) {
        this(WorkerTable.on(dataSource, DEFAULT_TABLE), OwnerInfo.PROCESS);
    }

    private JdbcWorkerIds(WorkerTable table, String owner) {
        this.table = table;
        this.owner = owner;
        this.namespaceRows = new NamespaceRows(table);
        this.setBackRows = new SetBackRows(table, namespaceRows);
    }

    /**
     * Returns a copy for a table of another name, with the same columns.
     *
     * @param newName plain or quoted, optionally with its schema
     * @return a new lease store
     * @throws IllegalArgumentException if it is not a valid name of a table
     */
    public JdbcWorkerIds inTable(String newName) {
        return new JdbcWorkerIds(table.named(newName), owner);
    }

    /**
     * Returns a copy with another timeout, for opening a connection and then for each statement. The default is 5 s.
     *
     * @param newTimeout 1 ms to 24 days
     * @return a new lease store
     */
    public JdbcWorkerIds withTimeout(Duration newTimeout) {
        return new JdbcWorkerIds(table.withTimeout(newTimeout), owner);
    }

    /**
     * Returns a copy with a name for the database server, which replaces the identity that the server reports. Use this
     * if idgen cannot read that identity, or if the same identity returns after a failback. Use the same name in all
     * processes, and a new one after each promotion. Names are compared exactly, including their case.
     *
     * @param newIdentity 1 to 64 characters
     * @return a new lease store
     */
    public JdbcWorkerIds identifiedAs(String newIdentity) {
        return new JdbcWorkerIds(table.identifiedAs(newIdentity), owner);
    }

    /**
     * Returns a copy that writes the name of the application into the column {@code owner_info}, before the process id
     * and the host: {@code shop 4711@web-3}. Without a name, the column has only the process id and the host. It is for
     * people who read the table; no statement compares it.
     *
     * @param application truncated if the column is too short; characters outside ASCII become question marks, so that
     *     each database accepts them
     * @return a new lease store
     */
    public JdbcWorkerIds ownedBy(String application) {
        return new JdbcWorkerIds(table, OwnerInfo.of(application));
    }

    /**
     * Moves a namespace to another layout in one step. No worker id of the namespace may be leased, all horizons must
     * lie in the past, and the ids of the new layout must be larger than those of the old one.
     *
     * @param namespace the namespace of the worker ids
     * @param from the layout that its rows have
     * @param to the new layout
     * @throws AllocationException if these conditions do not hold, or the database rejects a statement; then nothing is
     *     changed
     */
    public void changeLayout(String namespace, SnowflakeLayout from, SnowflakeLayout to) {
        namespaceRows.changeLayout(namespace, from, to);
    }

    @Override
    public Candidates candidates(Terms terms, @Nullable String token) {
        boolean hasAnnounced = false;
        for (int attempt = 1; ; attempt++) {
            Found found = table.transaction("looking for a free worker id", (connection, sql) -> {
                writeFirst(connection, terms);
                NamespaceRows.Windows windows = namespaceRows.windows(connection, terms);
                return new Found(windows, candidates(connection, sql, terms, token, windows));
            });
            if (!hasAnnounced
                    && found.windows.announced() < terms.window().toMillis()
                    && namespaceRows.announceWindow(terms)) {
                hasAnnounced = true; // only once, because a replica may not show it
                continue; // the time of the candidates must be later
            }
            if (!found.candidates.rows().isEmpty() || attempt >= OFFERS || !namespaceRows.prepare(terms)) {
                return found.candidates;
            }
        }
    }

    /**
     * Writes to no row. After a write, a proxy that splits reads from writes sends the reads of a transaction to the
     * primary. On a replica, each row would be another server's, or as it was before the last lease.
     */
    private void writeFirst(Connection connection, Terms terms) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE " + table + " SET fence = fence" + WHERE_ROW)) {
            new Parameters(statement).row(terms, NO_ROW);
            statement.executeUpdate();
        }
    }

    /** The windows of a namespace, and then its candidates. */
    private record Found(NamespaceRows.Windows windows, Candidates candidates) {}

    private Candidates candidates(
            Connection connection, Sql sql, Terms terms, @Nullable String token, NamespaceRows.Windows windows)
            throws SQLException {
        Candidates found = free(connection, sql, terms, token, "", windows);
        if (found.rows().size() < CANDIDATES || found.rows().stream().anyMatch(Row::sameServer)) {
            return found;
        }
        // the first query may not return rows that were advanced after a takeover; each call would advance another one
        List<Row> advanced = free(connection, sql, terms, token, " AND server_id = " + sql.identity(), windows)
                .rows();
        return windows.candidates(
                terms,
                found.nowMillis(),
                Stream.concat(found.rows().stream(), advanced.stream()).toList());
    }

    private Candidates free(
            Connection connection,
            Sql sql,
            Terms terms,
            @Nullable String token,
            String ofServer,
            NamespaceRows.Windows windows)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT worker_id, fence, horizon, CASE WHEN server_id = " + sql.identity()
                        + " THEN 1 ELSE 0 END, " + sql.now()
                        + ", owner_token, generation, server_id FROM " + table
                        + " WHERE namespace = ? AND layout = ? AND worker_id BETWEEN ? AND ?"
                        + " AND (lease_until < " + sql.now() + " OR owner_token = ?)" + ofServer
                        + " ORDER BY horizon, worker_id")) {
            statement.setMaxRows(CANDIDATES + terms.excluded().size());
            Parameters parameters = new Parameters(statement)
                    .identity(sql)
                    .add(terms.namespace())
                    .add(terms.layout().toString())
                    .range(terms)
                    .add(token == null ? NO_TOKEN : token);
            if (!ofServer.isEmpty()) {
                parameters.identity(sql);
            }
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
                                found.getString(6) != null,
                                found.getLong(7),
                                found.getString(8)));
                        now = found.getLong(5);
                    }
                }
            }
            return windows.candidates(terms, now, rows);
        }
    }

    @Override
    public boolean acquire(Terms terms, Row row, @Nullable String token, Lease lease) {
        return table.update("leasing worker id " + row.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = ?, lease_until = " + sql.now()
                    + " + ?, granted_from = horizon, horizon = ?, " + NamespaceRows.LONGER_WINDOW + ", owner_info = ?"
                    + WHERE_ROW + " AND fence = ? AND horizon = ? AND (lease_until < " + sql.now()
                    + " OR owner_token = ?) AND " + sql.now() + " + ? >= ? AND server_id = " + sql.identity()
                    + sql.durable());
            long window = terms.window().toMillis();
            Parameters parameters = new Parameters(statement)
                    .add(lease.token())
                    .add(terms.lease().toMillis())
                    .add(lease.horizonMillis())
                    .window(terms)
                    .add(owner)
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
        return table.update("advancing worker id " + row.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = NULL, lease_until = 0, granted_from = ?, horizon = ?,"
                    + " server_id = " + sql.identity() + WHERE_ROW
                    + " AND fence = ? AND horizon = ? AND (server_id IS NULL OR server_id <> "
                    + sql.identity() + ") AND " + sql.now() + " + ? <= ?" + sql.committed());
            new Parameters(statement)
                    .add(horizonMillis)
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
        return table.statement("looking at worker id " + lease.workerId(), (connection, sql) -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + sql.now()
                    + ", fence, owner_token, horizon, CASE WHEN server_id = " + sql.identity()
                    + " THEN 1 ELSE 0 END, generation, CASE WHEN " + SetBackRows.isSetBack(sql)
                    + " THEN 1 ELSE 0 END FROM " + table
                    + WHERE_ROW + sql.dialect().rowLock())) {
                new Parameters(statement).identity(sql).setBack(sql, lease).row(terms, lease.workerId());
                try (ResultSet found = statement.executeQuery()) {
                    if (!found.next()) {
                        return Optional.empty();
                    }
                    boolean held =
                            found.getLong(2) == lease.fence() && lease.token().equals(found.getString(3));
                    return Optional.of(new LeaseView(
                            found.getLong(1),
                            held,
                            found.getLong(4),
                            found.getInt(5) == 1,
                            found.getLong(6),
                            found.getInt(7) == 1));
                }
            }
        });
    }

    @Override
    public boolean raise(Terms terms, Lease lease, long seenMillis) {
        return setBackRows.raise(terms, lease, seenMillis);
    }

    @Override
    public boolean heal(Terms terms, Lease lease) {
        return setBackRows.heal(terms, lease);
    }

    @Override
    public boolean extend(Terms terms, Lease lease, long horizonMillis) {
        return table.update("extending the lease of worker id " + lease.workerId(), (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET horizon = ?, " + NamespaceRows.LONGER_WINDOW + ", lease_until = "
                    + sql.now() + " + ?" + WHERE_ROW + WHERE_HELD + " AND " + sql.now() + " + ? >= ? AND server_id = "
                    + sql.identity() + sql.durable());
            new Parameters(statement)
                    .add(horizonMillis)
                    .window(terms)
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
        return table.update("renewing the lease of worker id " + lease.workerId(), (connection, sql) -> {
            // two renewals in one millisecond change the row twice
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET lease_until = CASE WHEN lease_until = " + sql.now() + " + ? THEN lease_until + 1 ELSE "
                    + sql.now() + " + ? END" + WHERE_ROW + WHERE_HELD + sql.committed());
            new Parameters(statement)
                    .add(terms.lease().toMillis())
                    .add(terms.lease().toMillis())
                    .row(terms, lease.workerId())
                    .held(lease);
            return statement;
        });
    }

    @Override
    public boolean release(Terms terms, Lease lease, long horizonMillis) {
        return table.update("giving worker id " + lease.workerId() + " back", (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement(
                    "UPDATE " + table + " SET owner_token = NULL, lease_until = 0, horizon = ?" + WHERE_ROW + WHERE_HELD
                            + sql.committed());
            new Parameters(statement)
                    .add(horizonMillis)
                    .row(terms, lease.workerId())
                    .held(lease);
            return statement;
        });
    }

    @Override
    public Optional<RowState> state(Terms terms, int workerId) {
        return table.statement("looking at worker id " + workerId, (connection, sql) -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + sql.now()
                    + ", fence, horizon, CASE WHEN server_id = " + sql.identity()
                    + " THEN 1 ELSE 0 END, owner_token, lease_until, owner_info FROM " + table + WHERE_ROW
                    + sql.dialect().rowLock())) {
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
        return new RowState(
                found.getLong(1),
                found.getLong(2),
                found.getLong(3),
                found.getInt(4) == 1,
                reserved,
                reserved ? WorkerRows.reservedFor(token) : token,
                reserved ? leaseUntil - WorkerRows.ENDLESS : leaseUntil,
                Objects.requireNonNullElse(found.getString(7), "unknown"));
    }

    @Override
    public boolean reserve(Terms terms, int workerId, RowState seen, @Nullable String token, long horizonMillis) {
        return table.update("reserving worker id " + workerId, (connection, sql) -> {
            PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET fence = fence + 1, owner_token = ?, lease_until = "
                    + (token == null ? "?" : sql.now() + " + ?")
                    + ", granted_from = horizon, horizon = ?, owner_info = ?, server_id = " + sql.identity() + WHERE_ROW
                    + " AND fence = ? AND horizon = ? AND (server_id = "
                    + sql.identity() + " OR owner_token = ?)" + sql.durable());
            new Parameters(statement)
                    .add(token == null ? WorkerRows.RESERVED : WorkerRows.RESERVED + ":" + token)
                    .add(
                            token == null
                                    ? WorkerRows.ENDLESS
                                    : WorkerRows.ENDLESS + terms.lease().toMillis())
                    .add(horizonMillis)
                    .add(owner)
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
        return namespaceRows.holders(terms);
    }

    @Override
    public String toString() {
        return "worker ids in " + table;
    }
}
