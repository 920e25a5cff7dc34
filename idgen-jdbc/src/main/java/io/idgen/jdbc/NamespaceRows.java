package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the rows of a namespace, and sets their layout.
 *
 * <p>The row of worker id {@value WorkerRows#LAYOUT_ROW} holds the layout, the longest window that was announced, and
 * the horizon of rows that are created later. The other rows hold the windows that were used. Each transaction that
 * creates rows or changes their layout locks that row first, so all rows of a namespace have one layout.
 */
final class NamespaceRows {
    private static final String WHERE_LAYOUT_ROW = " WHERE namespace = ? AND " + WorkerRows.IS_LAYOUT;

    private final WorkerTable table;

    NamespaceRows(WorkerTable table) {
        this.table = table;
    }

    /**
     * How many rows of its layout a generator can lease at most, and another layout that rows of its namespace have.
     */
    private record Room(long rows, @Nullable String otherLayout) {}

    /**
     * Creates the missing rows of these terms. If no process has used the existing rows, gives them this layout.
     *
     * @return whether more rows may be free than before; false if all of them existed, or if the database rejects the
     *     creation of the others
     * @throws AllocationException if the namespace has another layout, if it has no rows and the database rejects their
     *     creation, or if the database does not answer
     */
    boolean prepare(Terms terms) {
        Room room = table.statement("looking at the worker ids", (connection, sql) -> room(connection, terms));
        if (room.otherLayout != null) {
            if (!takeOver(terms)) {
                throw otherLayout(terms, room.otherLayout);
            }
            return true;
        }
        if (room.rows == terms.workers()) {
            return false;
        }
        try {
            createMissing(terms);
            return true;
        } catch (AllocationException e) {
            if (room.rows == 0 || e.code() != ErrorCode.STATEMENT_REFUSED) {
                throw e;
            }
            System.getLogger(NamespaceRows.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "namespace ''{0}'' has {1} of {2} worker ids, and the others cannot be created: {3}",
                            terms.namespace(),
                            room.rows,
                            terms.workers(),
                            e.getMessage());
            return false; // the existing rows become free when their leases end
        }
    }

    private AllocationException otherLayout(Terms terms, String layout) {
        return new AllocationException(
                ErrorCode.LAYOUT_MISMATCH,
                "the worker ids of namespace '" + terms.namespace() + "' in " + table + " belong to layout " + layout
                        + ", and this process has " + terms.layout()
                        + "; set that layout, or stop all processes of the namespace and change its layout by"
                        + " idgen repair layout");
    }

    private Room room(Connection connection, Terms terms) throws SQLException {
        String layout = terms.layout().toString();
        return new SqlText("SELECT COUNT(CASE WHEN layout = ? AND ", layout)
                .add(WorkerTable.range(terms))
                .add(" THEN 1 END), MAX(CASE WHEN layout <> ? THEN layout END) FROM " + table, layout)
                .where("namespace = ?", terms.namespace())
                .first(connection, found -> new Room(found.getLong(1), found.getString(2)))
                .orElseThrow();
    }

    /**
     * Creates the missing rows that a generator can lease. With the first rows of a namespace, also creates the row
     * that holds its layout. A process with a worker id of its own creates only its own row, so later processes find
     * the others missing.
     *
     * <p>New rows have no server, because this server may have granted ticks of these worker ids and then lost the
     * rows. A database in the memory of this process cannot have lost them.
     */
    private void createMissing(Terms terms) {
        table.transaction("creating the worker ids of '" + terms.namespace() + "'", (connection, sql) -> {
            boolean certain = EmbeddedDatabase.isInMemory(connection);
            lockLayout(connection, terms.namespace());
            boolean isFirst = !hasLayoutRow(connection, terms.namespace());
            if (room(connection, terms).otherLayout != null) {
                connection.rollback(); // another process has just created rows with another layout
                return false;
            }
            Set<Integer> existing = new HashSet<>(new SqlText("SELECT worker_id FROM " + table)
                    .where("namespace = ?", terms.namespace())
                    .where(WorkerTable.range(terms))
                    .all(connection, found -> found.getInt(1)));
            if (existing.size() == terms.workers()) {
                return false; // another process has just created them
            }
            List<Integer> missing = new ArrayList<>();
            if (isFirst) {
                missing.add(WorkerRows.LAYOUT_ROW);
            }
            for (int i = 0; i < terms.workers(); i++) {
                if (!existing.contains(terms.firstWorkerId() + i)) {
                    missing.add(terms.firstWorkerId() + i);
                }
            }
            insert(connection, sql, terms, certain, missing);
            return true;
        });
    }

    /** Inserts rows, unless another process has just inserted one of them. */
    private void insert(Connection connection, Sql sql, Terms terms, boolean certain, List<Integer> workerIds)
            throws SQLException {
        try {
            Origin origin = origin(connection, terms);
            List<SqlText> rows = new ArrayList<>();
            for (int workerId : workerIds) {
                // the row of the layout announces the window of the terms
                long window = workerId == WorkerRows.LAYOUT_ROW ? terms.window().toMillis() : 0;
                rows.add(new SqlText("INSERT INTO " + table
                                + " (namespace, worker_id, layout, horizon, longest_window, generation, server_id,"
                                + " fence, lease_until) VALUES (")
                        .add("?", terms.namespace())
                        .add(", ?", workerId)
                        .add(", ?", terms.layout().toString())
                        .add(", ?", origin.horizonMillis)
                        .add(", ?", window)
                        .add(", ?, ", origin.generation)
                        .add(certain ? sql.identity() : new SqlText("NULL"))
                        .add(", 0, 0)"));
            }
            SqlText.updateAll(connection, rows);
        } catch (SQLException e) {
            if (!isDuplicate(sql.dialect(), e)) {
                throw e;
            }
            connection.rollback();
        }
    }

    /**
     * What new rows of a namespace begin with.
     *
     * @param generation how often the rows of the namespace were healed
     * @param horizonMillis above all ids of a former layout; 0 if the namespace never had another one
     */
    private record Origin(long generation, long horizonMillis) {}

    private Origin origin(Connection connection, Terms terms) throws SQLException {
        return new SqlText("SELECT MAX(generation), MAX(CASE WHEN " + WorkerRows.IS_LAYOUT + " THEN horizon END) FROM "
                        + table)
                .where("namespace = ?", terms.namespace())
                .first(connection, found -> new Origin(found.getLong(1), found.getLong(2)))
                .orElseThrow();
    }

    private static boolean isDuplicate(Dialect dialect, SQLException e) {
        for (SQLException each = e; each != null; each = each.getNextException()) {
            if (dialect.failure(each) == Failure.DUPLICATE_KEY) {
                return true;
            }
        }
        return false;
    }

    /**
     * The longest windows of a namespace in milliseconds.
     *
     * @param announced the longest that a process may use some time; 0 if the namespace has no rows
     * @param used the longest that a process has used; 0 for none
     */
    record Windows(long announced, long used) {
        Candidates candidates(Terms terms, long nowMillis, List<Row> rows) {
            return Candidates.of(terms, nowMillis, announced, used, rows);
        }

        /** See {@link LeaseStore.Candidates#gapMillis}. */
        long gap(Terms terms) {
            return Candidates.gapMillis(terms.window(), announced);
        }
    }

    Windows windows(Connection connection, Terms terms) throws SQLException {
        return new SqlText("SELECT MAX(longest_window), MAX(CASE WHEN " + WorkerRows.IS_WORKER
                        + " THEN longest_window END) FROM " + table)
                .where("namespace = ?", terms.namespace())
                .first(connection, found -> new Windows(found.getLong(1), found.getLong(2)))
                .orElseThrow();
    }

    /**
     * Records the window of the terms, so that a server that takes over some minutes later knows it.
     *
     * @return false if the namespace has no rows of this layout yet
     */
    boolean announceWindow(Terms terms) {
        return table.transaction("announcing the window of '" + terms.namespace() + "'", (connection, sql) -> {
            lockLayout(connection, terms.namespace());
            if (!hasLayoutRow(connection, terms.namespace())) {
                return createLayoutRow(connection, sql, terms);
            }
            if (room(connection, terms).otherLayout != null) {
                return false;
            }
            new SqlText("UPDATE " + table)
                    .set(WorkerTable.longerWindow(terms))
                    .where("namespace = ? AND " + WorkerRows.IS_LAYOUT, terms.namespace())
                    .add(sql.durable())
                    .update(connection);
            return true;
        });
    }

    /** Creates the row of the layout for rows that have none, because an operator deleted it. */
    private boolean createLayoutRow(Connection connection, Sql sql, Terms terms) throws SQLException {
        Room room = room(connection, terms);
        if (room.rows == 0 || room.otherLayout != null) {
            return false;
        }
        insert(connection, sql, terms, false, List.of(WorkerRows.LAYOUT_ROW));
        return true;
    }

    /**
     * Locks the row of the layout, so that other transactions that change layouts of the namespace wait for this one.
     */
    void lockLayout(Connection connection, String namespace) throws SQLException {
        WorkerRows.lockLayout(connection, table.toString(), namespace);
    }

    private boolean hasLayoutRow(Connection connection, String namespace) throws SQLException {
        return new SqlText("SELECT 1 FROM " + table + WHERE_LAYOUT_ROW, namespace).finds(connection);
    }

    /**
     * Gives all rows of a namespace this layout, if no process has used one of them. The rows of the scripts have the
     * default layout, whatever layout the first process has. One transaction changes all rows or none. A process that
     * leases a row at this moment has changed the row's fence, or finds no row of its layout.
     */
    private boolean takeOver(Terms terms) {
        return table.transaction("giving worker ids their layout", (connection, sql) -> {
            lockLayout(connection, terms.namespace());
            new SqlText("UPDATE " + table)
                    .set("layout = ?", terms.layout().toString())
                    .where("namespace = ? AND fence = 0 AND horizon = 0", terms.namespace())
                    .where(sql.isServer())
                    .update(connection);
            if (room(connection, terms).otherLayout != null) {
                connection.rollback();
                return false;
            }
            return true;
        });
    }

    /** Returns the processes that hold the worker ids of the terms, for a message. */
    String holders(Terms terms) {
        List<LeaseHolder> holders = table.statement(
                "looking who holds the worker ids",
                (connection, sql) -> new SqlText("SELECT worker_id, lease_until, owner_info FROM " + table)
                        .where(WorkerTable.rows(terms))
                        .add(" ORDER BY lease_until")
                        .atMost(LeaseHolder.NAMED)
                        .all(connection, NamespaceRows::holder));
        return LeaseHolder.text(holders.stream());
    }

    private static LeaseHolder holder(ResultSet found) throws SQLException {
        return new LeaseHolder(found.getInt(1), found.getString(3), found.getLong(2));
    }
}
