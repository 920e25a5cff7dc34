package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import io.idgen.cli.doctor.GrowthPlan.Step;
import io.idgen.cli.doctor.RepairReport.Change;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of the strategy {@code stepped} on one of the databases of a growth. Used by one thread. */
final class SteppedRows {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
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
        this.name = CounterTable.STEPPED.named(tables.prefix);
        this.table = CounterTable.STEPPED.in(tables.transactions(TIMEOUT), tables.prefix);
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
        return in((connection, dialect) ->
                new SqlText("SELECT DISTINCT seq_name FROM " + name).all(connection, row -> row.getString(1)));
    }

    /** Returns the rows of a source. */
    List<SteppedRow> read(String source) {
        return in((connection, dialect) -> read(connection, source));
    }

    /** Returns the rows of a source. Writes first, because a proxy may send a read to a replica that lags. */
    List<SteppedRow> lock(String source) {
        return in((connection, dialect) -> {
            new SqlText("UPDATE " + name)
                    .set("next_id = next_id")
                    .where("seq_name = ?", source)
                    .update(connection);
            return read(connection, source);
        });
    }

    private List<SteppedRow> read(Connection connection, String source) throws SQLException {
        String reach = isGuarded(connection) ? "reach" : "NULL";
        return new SqlText("SELECT generation, instance, instances, id_limit, next_id, " + reach + " FROM " + name)
                .where("seq_name = ?", source)
                .add(" ORDER BY generation")
                .all(connection, SteppedRows::row);
    }

    private static SteppedRow row(ResultSet row) throws SQLException {
        long reach = row.getLong(6); // 0 if it is null
        return new SteppedRow(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                reach > 0 ? reach : null);
    }

    private boolean isGuarded(Connection connection) throws SQLException {
        Boolean known = hasGuard;
        if (known == null) {
            known = CounterRow.isGuarded(connection, CounterTable.STEPPED, tables.prefix);
            hasGuard = known;
        }
        return known;
    }

    /** Makes a step in one transaction. Returns false if the row has changed so that the step no longer applies. */
    boolean make(String source, Step step) {
        return in((connection, dialect) -> {
            SteppedRow before = step.before();
            SteppedRow after = step.after();
            if (before == null) {
                return insert(connection, dialect, source, after);
            }
            SqlText update = new SqlText("UPDATE " + name).set("id_limit = ?", after.limit());
            if (before.isUnlimited()) { // while no id at or above the limit is granted
                update.where(isOf(source, after))
                        .where("id_limit = ? AND next_id <= ?", SteppedRow.UNLIMITED, after.limit());
            } else { // a row that grants no ids at the moment
                update.set("next_id = ?", after.next())
                        .where(isOf(source, after))
                        .where("id_limit = ? AND next_id = ?", before.limit(), before.next());
            }
            return update.where(dialect.durableCommit()).update(connection) > 0;
        });
    }

    private static SqlText isOf(String source, SteppedRow row) {
        return new SqlText(
                "seq_name = ? AND generation = ? AND instance = ? AND instances = ?",
                source,
                row.generation(),
                row.instance(),
                row.instances());
    }

    /** Writes a row that counts as granted by this server, so that a takeover skips what it may lack. */
    private boolean insert(Connection connection, Dialect dialect, String source, SteppedRow row) throws SQLException {
        boolean guarded = row.reach() != null && isGuarded(connection);
        SqlText insert = new SqlText(
                "INSERT INTO " + name + " (seq_name, generation, instance, instances, id_limit, next_id"
                        + (guarded ? ", reach, server_id" : "") + ") VALUES (?, ?, ?, ?, ?, ?",
                source,
                row.generation(),
                row.instance(),
                row.instances(),
                row.limit(),
                row.next());
        if (guarded) {
            String identity = tables.identity;
            insert.add(", " + row.reach() + ", ")
                    .add(
                            identity == null
                                    ? new SqlText(dialect.serverIdentityOfCounters(connection))
                                    : new SqlText("?", identity));
        }
        try {
            insert.add(")").update(connection);
        } catch (SQLException e) {
            if (dialect.failure(e) == Failure.DUPLICATE_KEY) {
                connection.rollback(); // PostgreSQL accepts no more statements in this transaction
                return false;
            }
            throw e;
        }
        // the condition for a durable commit needs an update
        new SqlText("UPDATE " + name)
                .set("next_id = ?", row.next())
                .where(isOf(source, row))
                .where("next_id = ?", row.next())
                .where(dialect.durableCommit())
                .update(connection);
        return true;
    }

    /** Whether a replica without the last commits may take over. */
    boolean mayHaveReplicas() {
        return in((connection, dialect) -> ServerIdentity.mayHaveReplicas(dialect));
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
