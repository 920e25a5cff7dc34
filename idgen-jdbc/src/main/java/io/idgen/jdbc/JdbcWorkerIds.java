package io.idgen.jdbc;

import static io.idgen.jdbc.WorkerTable.held;
import static io.idgen.jdbc.WorkerTable.row;
import static io.idgen.jdbc.WorkerTable.rows;

import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.internal.lease.RowRules.LeasedRow;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

    static final String DEFAULT_TABLE = "idgen_worker";

    /**
     * How often to look for candidates. Between two attempts, unused rows get the layout of the terms, or missing rows
     * are created.
     */
    private static final int OFFERS = 3;

    /** How many free rows a query reads, in addition to excluded ones: those with the lowest horizons. */
    private static final int CANDIDATES = 64;

    private static final int LONGEST_OWNER = 255;

    /** The id of this process and the name of its host. */
    private static final String PROCESS = fit(LeaseHolder.THIS_PROCESS, 100);

    /** No row has this worker id. */
    private static final int NO_ROW = WorkerRows.LAYOUT_ROW - 1;

    private final Transactions transactions;
    private final @Nullable String identity;
    private final String owner;
    private final Runnable first;
    private final WorkerTable table;
    private final NamespaceRows namespaceRows;
    private final SetBackRows setBackRows;

    /**
     * Creates a lease store on the table {@value #DEFAULT_TABLE}. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public JdbcWorkerIds(DataSource dataSource) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), Counters.DEFAULT_TIMEOUT)
                        .on(SqlName.parse(DEFAULT_TABLE, 1, 1), DEFAULT_TABLE),
                null,
                PROCESS,
                () -> {});
    }

    private JdbcWorkerIds(Transactions transactions, @Nullable String identity, String owner, Runnable first) {
        this.transactions = transactions;
        this.identity = identity;
        this.owner = owner;
        this.first = first;
        this.table = new WorkerTable(transactions, identity);
        this.namespaceRows = new NamespaceRows(table);
        this.setBackRows = new SetBackRows(table);
    }

    /**
     * Returns a copy for a table of another name, with the same columns.
     *
     * @param newName plain or quoted, optionally with its schema
     * @return a new lease store
     * @throws IllegalArgumentException if it is not a valid name of a table
     */
    public JdbcWorkerIds inTable(String newName) {
        return new JdbcWorkerIds(transactions.on(SqlName.parse(newName, 1, 3), DEFAULT_TABLE), identity, owner, first);
    }

    /**
     * Returns a copy with another timeout, for opening a connection and then for each statement. The default is 5 s.
     *
     * @param newTimeout 1 ms to 24 days
     * @return a new lease store
     */
    public JdbcWorkerIds withTimeout(Duration newTimeout) {
        return new JdbcWorkerIds(
                transactions.withTimeout(CounterOptions.checkTimeout(newTimeout)), identity, owner, first);
    }

    /**
     * Returns a copy with a name for the database server, which replaces the identity that the server reports. Use this
     * if idgen cannot read that identity, or if the same identity returns after a failback. Use the same name in all
     * processes, and a new one after each promotion.
     *
     * @param newIdentity 1 to 64 characters of ASCII, without capitals
     * @return a new lease store
     */
    public JdbcWorkerIds identifiedAs(String newIdentity) {
        return new JdbcWorkerIds(transactions, ServerIdentity.check(newIdentity), owner, first);
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
        return new JdbcWorkerIds(
                transactions, identity, fit(application, LONGEST_OWNER - PROCESS.length() - 1) + " " + PROCESS, first);
    }

    /**
     * Returns a copy that calls this before each lease, when the table exists. If it throws, no lease is granted.
     *
     * @param newFirst may block, and uses connections of its own
     * @return a new lease store
     */
    public JdbcWorkerIds beforeLeases(Runnable newFirst) {
        return new JdbcWorkerIds(transactions, identity, owner, newFirst);
    }

    /** The column counts bytes on some databases, and some databases do not support characters outside ASCII. */
    private static String fit(String text, int longest) {
        return text.substring(0, Math.min(text.length(), longest)).replaceAll("[^ -~]", "?");
    }

    @Override
    public Candidates candidates(LeaseTerms terms, @Nullable String token) {
        for (int attempt = 1; ; attempt++) {
            Candidates found = table.transaction("looking for a free worker id", (connection, sql) -> {
                writeFirst(connection, terms);
                return candidates(connection, sql, terms, token);
            });
            first.run();
            if (!found.rows().isEmpty()) {
                return found;
            }
            if (attempt >= OFFERS || !namespaceRows.prepare(terms)) {
                return new Candidates(found.nowMillis(), List.of(), namespaceRows.holders(terms));
            }
        }
    }

    /**
     * Writes to no row. After a write, a proxy that splits reads from writes sends the reads of a transaction to the
     * primary. On a replica, each row would be another server's, or as it was before the last lease.
     */
    private void writeFirst(Connection connection, LeaseTerms terms) throws SQLException {
        new SqlText("UPDATE " + table)
                .set("fence = fence")
                .where(row(terms, NO_ROW))
                .update(connection);
    }

    private Candidates candidates(Connection connection, Sql sql, LeaseTerms terms, @Nullable String token)
            throws SQLException {
        Candidates found;
        do {
            found = free(connection, sql, terms, token);
        } while (raise(connection, sql, terms, found.rows()));
        return found;
    }

    /** Raises rows that have forgotten grants of this process; returns whether there were any. */
    private boolean raise(Connection connection, Sql sql, LeaseTerms terms, List<Row> rows) throws SQLException {
        int raised = 0;
        for (Row row : rows) {
            Lease last = sql.grants().above(terms, row);
            if (last != null) {
                raised += new SqlText("UPDATE " + table)
                        .set("fence = ?", Math.max(row.fence(), last.fence()) + 1)
                        .set("generation = ?", Math.max(row.generation(), last.generation()))
                        .set("owner_token = NULL")
                        .set("lease_until = 0")
                        .set("granted_from = ?", last.horizonMillis())
                        .set("horizon = ?", last.horizonMillis())
                        .where(row(terms, row.workerId()))
                        .where("fence = ? AND horizon = ?", row.fence(), row.horizonMillis())
                        .update(connection);
            }
        }
        return raised > 0;
    }

    /** Reads rows that were fenced off after a takeover first: otherwise each call would fence off another one. */
    private Candidates free(Connection connection, Sql sql, LeaseTerms terms, @Nullable String token)
            throws SQLException {
        SqlText query = new SqlText("SELECT worker_id, fence, horizon, ")
                .add(SqlText.flag(sql.isServer()))
                .add(", " + sql.now() + ", owner_token, generation, server_id FROM " + table)
                .where(rows(terms))
                .where(sql.isFree(token));
        record Timed(Row row, long nowMillis) {}
        List<Timed> rows = query.add(" ORDER BY 4 DESC, horizon, worker_id")
                .atMost(CANDIDATES + terms.excluded().size())
                .all(
                        connection,
                        found -> new Timed(
                                new Row(
                                        found.getInt(1),
                                        found.getLong(2),
                                        found.getLong(3),
                                        found.getInt(4) == 1,
                                        found.getString(6) != null,
                                        found.getLong(7),
                                        found.getString(8)),
                                found.getLong(5)));
        rows.removeIf(each -> terms.excluded().contains(each.row.workerId()));
        long now = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).nowMillis;
        return new Candidates(
                now,
                rows.stream()
                        .map(Timed::row)
                        .sorted(Comparator.comparingLong(Row::horizonMillis))
                        .toList(),
                "");
    }

    @Override
    public boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease) {
        return table.grant(
                "leasing worker id " + row.workerId(),
                terms,
                lease,
                row.horizonMillis(),
                sql -> new SqlText("UPDATE " + table)
                        .set("fence = fence + 1")
                        .set("owner_token = ?", lease.token())
                        .set(sql.leaseUntil(terms.lease().toMillis()))
                        .set("granted_from = horizon")
                        .set("horizon = ?", lease.horizonMillis())
                        .set("owner_info = ?", owner)
                        .where(row(terms, row.workerId()))
                        .where("fence = ? AND horizon = ?", row.fence(), row.horizonMillis())
                        .where(sql.isFree(token))
                        .where(sql.now() + " + ? >= ?", terms.window().toMillis(), lease.horizonMillis())
                        .where(sql.isServer())
                        .add(sql.durable()));
    }

    @Override
    public boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return table.update(
                "fencing off worker id " + row.workerId(),
                sql -> new SqlText("UPDATE " + table)
                        .set("fence = fence + 1")
                        .set("owner_token = NULL")
                        .set("lease_until = 0")
                        .set("granted_from = ?", horizonMillis)
                        .set("horizon = ?", horizonMillis)
                        .set(sql.isServer())
                        .where(row(terms, row.workerId()))
                        .where("fence = ? AND horizon = ?", row.fence(), row.horizonMillis())
                        .where(sql.isOtherServer())
                        .where(sql.now() + " + ? <= ?", terms.gapMillis(), horizonMillis)
                        .add(sql.committed()));
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return table.statement(
                "looking at worker id " + lease.workerId(),
                (connection, sql) -> new SqlText("SELECT " + sql.now() + ", ")
                        .add(SetBackRows.columns(sql))
                        .add(" FROM " + table)
                        .where(row(terms, lease.workerId()))
                        .add(sql.dialect().rowLock())
                        .first(connection, found -> {
                            LeasedRow row = SetBackRows.read(found, 2);
                            return new LeaseView(
                                    found.getLong(1),
                                    row.isHeldBy(lease),
                                    row.horizonMillis(),
                                    row.sameServer(),
                                    row.generation(),
                                    RowRules.isSetBack(row, lease));
                        }));
    }

    @Override
    public boolean raise(LeaseTerms terms, Lease lease, long seenMillis) {
        return table.update(
                "raising worker id " + lease.workerId() + " again",
                sql -> new SqlText("UPDATE " + table)
                        .set("horizon = ?", lease.horizonMillis())
                        .set(sql.leaseUntil(terms.lease().toMillis()))
                        .where(row(terms, lease.workerId()))
                        .where(held(lease.withHorizon(seenMillis)))
                        .where(sql.isServer())
                        .add(sql.durable()));
    }

    @Override
    public boolean heal(LeaseTerms terms, Lease lease) {
        return setBackRows.heal(terms, lease);
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return table.grant(
                "extending the lease of worker id " + lease.workerId(),
                terms,
                lease.withHorizon(horizonMillis),
                lease.horizonMillis(),
                sql -> new SqlText("UPDATE " + table)
                        .set("horizon = ?", horizonMillis)
                        .set(sql.leaseUntil(terms.lease().toMillis()))
                        .where(row(terms, lease.workerId()))
                        .where(held(lease))
                        .where(sql.now() + " + ? >= ?", terms.window().toMillis(), horizonMillis)
                        .where(sql.isServer())
                        .add(sql.durable()));
    }

    @Override
    public boolean renew(LeaseTerms terms, Lease lease) {
        long millis = terms.lease().toMillis();
        // two renewals in one millisecond change the row twice
        return table.update(
                "renewing the lease of worker id " + lease.workerId(),
                sql -> new SqlText("UPDATE " + table)
                        .set("lease_until = CASE WHEN lease_until = " + sql.now() + " + ? THEN lease_until + 1", millis)
                        .add(" ELSE " + sql.now() + " + ? END", millis)
                        .where(row(terms, lease.workerId()))
                        .where(held(lease))
                        .add(sql.committed()));
    }

    @Override
    public boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return table.update("giving worker id " + lease.workerId() + " back", sql -> {
            sql.grants().release(terms, lease, horizonMillis);
            return new SqlText("UPDATE " + table)
                    .set("owner_token = NULL")
                    .set("lease_until = 0")
                    .set("horizon = ?", horizonMillis)
                    .where(row(terms, lease.workerId()))
                    .where(held(lease))
                    .add(sql.committed());
        });
    }

    @Override
    public String toString() {
        return "worker ids in " + table;
    }
}
