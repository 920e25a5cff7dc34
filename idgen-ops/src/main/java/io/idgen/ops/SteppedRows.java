package io.idgen.ops;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.ops.GrowthPlan.Step;
import io.idgen.ops.RepairReport.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of the strategy {@code stepped} on one of the databases of a growth. Used by one thread. */
final class SteppedRows {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String OF_SET = " WHERE seq_name = ? AND generation = ? AND instance = ? AND instances = ?";

    /** The identity of a server that has no replicas. */
    private static final String WITHOUT_REPLICAS = "'-'";

    private final IdgenTables tables;
    private final String database;
    private final SqlName name;
    private final OwnTable table;
    private @Nullable Boolean hasGuard;

    /**
     * Names the table. Opens no connection.
     *
     * @param number the number of the database, from 1
     * @param databases how many there are
     */
    SteppedRows(IdgenTables tables, int number, int databases) {
        this.tables = tables;
        this.database = "database " + number + " of " + databases;
        this.name = CounterTable.STEPPED.named(tables.prefix());
        this.table = new OwnTable(
                tables.transactions(TIMEOUT), name, IdgenSchema.DEFAULT_PREFIX + CounterTable.STEPPED.suffix());
    }

    private <T> T in(Transactions.Work<T> work) {
        try {
            return table.in("growing " + name, work);
        } catch (StoreUnreachableException e) {
            throw new StoreUnreachableException(unanswered(e), e);
        } catch (StoreUnavailableException e) {
            throw new StoreUnavailableException(unanswered(e), e);
        } catch (AllocationException e) {
            String message =
                    String.valueOf(e.getMessage()).replaceFirst("^" + e.code().code() + ": ", "");
            throw new AllocationException(e.code(), "in " + database + ", " + message, e);
        }
    }

    private String unanswered(Exception e) {
        return database + " does not answer: " + e.getMessage()
                + "; processes continue, those with the old list up to the limits that are set; let it answer again, then "
                + Growth.AGAIN;
    }

    /** Returns the sources that have a row. */
    List<String> sources() {
        return in((connection, dialect) -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT DISTINCT seq_name FROM " + name)) {
                List<String> sources = new ArrayList<>();
                while (rows.next()) {
                    sources.add(rows.getString(1));
                }
                return sources;
            }
        });
    }

    /** Returns the rows of a source. */
    List<SteppedRow> read(String source) {
        return in((connection, dialect) -> read(connection, source));
    }

    /** Returns the rows of a source. Writes first, because a proxy may send a read to a replica that lags. */
    List<SteppedRow> lock(String source) {
        return in((connection, dialect) -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE " + name + " SET next_id = next_id WHERE seq_name = ?")) {
                update.setString(1, source);
                update.executeUpdate();
            }
            return read(connection, source);
        });
    }

    private List<SteppedRow> read(Connection connection, String source) throws SQLException {
        String reach = isGuarded(connection) ? "reach" : "NULL";
        try (PreparedStatement select =
                connection.prepareStatement("SELECT generation, instance, instances, id_limit, next_id, " + reach
                        + " FROM " + name + " WHERE seq_name = ? ORDER BY generation")) {
            select.setString(1, source);
            try (ResultSet rows = select.executeQuery()) {
                List<SteppedRow> found = new ArrayList<>();
                while (rows.next()) {
                    long most = rows.getLong(6); // 0 if it is null
                    found.add(new SteppedRow(
                            rows.getLong(1),
                            rows.getLong(2),
                            rows.getLong(3),
                            rows.getLong(4),
                            rows.getLong(5),
                            most > 0 ? most : null));
                }
                return found;
            }
        }
    }

    private boolean isGuarded(Connection connection) throws SQLException {
        Boolean known = hasGuard;
        if (known == null) {
            known = CounterRow.isGuarded(connection, CounterTable.STEPPED, tables.prefix());
            hasGuard = known;
        }
        return known;
    }

    /** Makes a step in one transaction. Returns false if the row has changed so that the step no longer applies. */
    boolean make(String source, Step step) {
        return in((connection, dialect) -> {
            SteppedRow before = step.before();
            if (before == null) {
                return insert(connection, dialect, source, step.after());
            }
            return before.isUnlimited()
                    ? limit(connection, dialect, source, step.after())
                    : set(connection, dialect, source, before, step.after());
        });
    }

    /** Sets the limit of a row that has none, while no id at or above it is granted. */
    private boolean limit(Connection connection, Dialect dialect, String source, SteppedRow after) throws SQLException {
        return update(
                connection,
                dialect,
                "id_limit = ?",
                source,
                after,
                "id_limit = ? AND next_id <= ?",
                after.limit(),
                SteppedRow.UNLIMITED,
                after.limit());
    }

    /** Changes a row that grants no ids at the moment. */
    private boolean set(Connection connection, Dialect dialect, String source, SteppedRow before, SteppedRow after)
            throws SQLException {
        return update(
                connection,
                dialect,
                "id_limit = ?, next_id = ?",
                source,
                after,
                "id_limit = ? AND next_id = ?",
                after.limit(),
                after.next(),
                before.limit(),
                before.next());
    }

    /** Changes a row under a condition. The numbers are the parameters of the assignment and of the condition. */
    private boolean update(
            Connection connection,
            Dialect dialect,
            String assignment,
            String source,
            SteppedRow row,
            String condition,
            long... numbers)
            throws SQLException {
        int assigned = (int) assignment.chars().filter(c -> c == '?').count();
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + name + " SET " + assignment + OF_SET + " AND " + condition + durably(dialect))) {
            int next = 1;
            for (int i = 0; i < assigned; i++) {
                update.setLong(next++, numbers[i]);
            }
            next = setKey(update, next, source, row);
            for (int i = assigned; i < numbers.length; i++) {
                update.setLong(next++, numbers[i]);
            }
            return update.executeUpdate() > 0;
        }
    }

    private static int setKey(PreparedStatement statement, int first, String source, SteppedRow row)
            throws SQLException {
        int next = first;
        statement.setString(next++, source);
        statement.setLong(next++, row.generation());
        statement.setLong(next++, row.instance());
        statement.setLong(next++, row.instances());
        return next;
    }

    private static String durably(Dialect dialect) {
        return dialect.durableCommit().map(" AND "::concat).orElse("");
    }

    /** Writes a row that counts as granted by this server, so that a takeover skips what it may lack. */
    private boolean insert(Connection connection, Dialect dialect, String source, SteppedRow row) throws SQLException {
        boolean guarded = row.reach() != null && isGuarded(connection);
        String identity = tables.identity();
        String server = identity == null ? dialect.serverIdentityOfCounters(connection) : "?";
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + name
                + " (seq_name, generation, instance, instances, id_limit, next_id"
                + (guarded ? ", reach, server_id" : "") + ") VALUES (?, ?, ?, ?, ?, ?"
                + (guarded ? ", " + row.reach() + ", " + server : "") + ")")) {
            int next = setKey(insert, 1, source, row);
            insert.setLong(next++, row.limit());
            insert.setLong(next++, row.next());
            if (guarded && identity != null) {
                insert.setString(next, identity);
            }
            insert.executeUpdate();
        } catch (SQLException e) {
            if (dialect.failure(e) == Failure.DUPLICATE_KEY) {
                connection.rollback(); // PostgreSQL accepts no more statements in this transaction
                return false;
            }
            throw e;
        }
        // the condition for a durable commit needs an update
        update(connection, dialect, "next_id = ?", source, row, "next_id = ?", row.next(), row.next());
        return true;
    }

    /** Whether a replica without the last commits may take over. */
    boolean mayHaveReplicas() {
        return in((connection, dialect) -> !dialect.serverIdentity().equals(WITHOUT_REPLICAS));
    }

    /** Returns a step for a report. */
    Change change(String source, Step step) {
        @Nullable SteppedRow before = step.before();
        return new Change(
                database,
                source + ", generation " + step.after().generation(),
                before == null ? "no row" : before.toString(),
                step.after().toString());
    }
}
