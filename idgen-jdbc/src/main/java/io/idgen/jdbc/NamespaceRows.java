package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.WorkerTable.Sql;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the rows of a namespace, and sets their layout and the times of leases.
 *
 * <p>The row of worker id {@value WorkerRows#LAYOUT_ROW} holds both too. Each transaction that creates rows or changes
 * their layout locks that row first, so all rows of a namespace have the same.
 */
final class NamespaceRows {
    /** How many rows a statement inserts at most; databases limit its parameters. */
    private static final int MOST_ROWS = 1_000;

    private final WorkerTable table;

    NamespaceRows(WorkerTable table) {
        this.table = table;
    }

    /**
     * What the rows of a namespace have in common.
     *
     * @param rows how many of this layout a generator can lease at most
     * @param otherLayout another layout that some have; null if there is none
     * @param generation how often they were healed
     */
    private record Room(long rows, @Nullable String otherLayout, long generation) {}

    /**
     * Creates the missing rows of these terms. If no process has used the existing rows, gives them this layout.
     *
     * @return whether more rows may be free than before; false if all of them existed, or if the database rejects the
     *     creation of the others
     * @throws AllocationException if the namespace has another layout, if it has no rows and the database rejects their
     *     creation, or if the database does not answer
     */
    boolean prepare(LeaseTerms terms) {
        Room room = table.statement("looking at the worker ids", (connection, sql) -> room(connection, terms));
        if (room.otherLayout != null) {
            if (!takeOver(terms)) {
                throw terms.otherLayout(table.toString(), room.otherLayout);
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
                            "namespace '" + terms.namespace() + "' has " + room.rows + " of " + terms.workers()
                                    + " worker ids, and the others cannot be created: " + e.getMessage());
            return false; // the existing rows become free when their leases end
        }
    }

    private Room room(Connection connection, LeaseTerms terms) throws SQLException {
        String layout = terms.layoutAndTimes();
        return new SqlText("SELECT COUNT(CASE WHEN layout = ? AND ", layout)
                .add(WorkerTable.range(terms))
                .add(" THEN 1 END), MAX(CASE WHEN layout <> ? THEN layout END), MAX(generation) FROM " + table, layout)
                .where("namespace = ?", terms.namespace())
                .first(connection, found -> new Room(found.getLong(1), found.getString(2), found.getLong(3)))
                .orElseThrow();
    }

    /**
     * Creates the missing rows that a generator can lease. Also creates the row that holds the layout, if it is
     * missing. A process with a worker id of its own creates only its own row, so later processes find
     * the others missing.
     *
     * <p>New rows have no server, because this server may have granted ticks of these worker ids and then lost the
     * rows. A database in the memory of this process cannot have lost them.
     */
    private void createMissing(LeaseTerms terms) {
        table.transaction("creating the worker ids of '" + terms.namespace() + "'", (connection, sql) -> {
            WorkerRows.lockLayout(connection, table.toString(), terms.namespace());
            Set<Integer> existing = new HashSet<>(new SqlText("SELECT worker_id FROM " + table)
                    .where("namespace = ?", terms.namespace())
                    .all(connection, found -> found.getInt(1)));
            Room room = room(connection, terms);
            if (room.otherLayout != null) {
                // read after the rows: a layout row that was missing then is inserted, and its key decides the race
                connection.rollback(); // another process has just created rows with another layout
                return false;
            }
            List<Integer> missing = IntStream.concat(
                            IntStream.of(WorkerRows.LAYOUT_ROW),
                            IntStream.range(terms.firstWorkerId(), terms.firstWorkerId() + terms.workers()))
                    .filter(workerId -> !existing.contains(workerId))
                    .boxed()
                    .toList();
            if (!missing.isEmpty()) { // another process may have just created them
                insert(connection, sql, terms, room, missing);
            }
            return true;
        });
    }

    /** Inserts rows, unless another process has just inserted one of them. */
    private void insert(Connection connection, Sql sql, LeaseTerms terms, Room room, List<Integer> workerIds)
            throws SQLException {
        SqlText server = EmbeddedDatabase.isInMemory(connection) ? sql.identity() : new SqlText("NULL");
        try {
            for (int from = 0; from < workerIds.size(); from += MOST_ROWS) {
                SqlText insert = new SqlText(
                        "INSERT INTO " + table
                                + " (namespace, worker_id, layout, horizon, generation, fence, lease_until, server_id) VALUES ");
                String before = "(";
                for (int workerId : workerIds.subList(from, Math.min(from + MOST_ROWS, workerIds.size()))) {
                    insert.add(before + "?, ?, ?", terms.namespace(), workerId, terms.layoutAndTimes())
                            .add(", 0, ?, 0, 0, ", room.generation)
                            .add(server);
                    before = "), (";
                }
                insert.add(")").update(connection);
            }
        } catch (SQLException e) {
            if (sql.dialect().failure(e) != Failure.DUPLICATE_KEY) {
                throw e;
            }
            connection.rollback();
        }
    }

    /**
     * Gives all rows of a namespace this layout, if no process has used one of them. The rows of the scripts have the
     * default layout, whatever layout the first process has. One transaction changes all rows or none. A process that
     * leases a row at this moment has changed the row's fence, or finds no row of its layout.
     */
    private boolean takeOver(LeaseTerms terms) {
        return table.transaction("giving worker ids their layout", (connection, sql) -> {
            WorkerRows.lockLayout(connection, table.toString(), terms.namespace());
            new SqlText("UPDATE " + table)
                    .set("layout = ?", terms.layoutAndTimes())
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
    String holders(LeaseTerms terms) {
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
