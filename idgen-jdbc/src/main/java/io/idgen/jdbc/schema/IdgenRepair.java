package io.idgen.jdbc.schema;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LargestId;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.RepairReport;
import io.idgen.core.lease.RepairReport.Change;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sets idgen's tables above all ids that were generated, after a backup was restored or a table truncated. Also lowers
 * horizons that a wrong clock has left far ahead, and ends reservations of worker ids. Stop all processes that generate
 * ids first. A repair fails while a worker id is leased; it cannot see a process that uses only segments.
 *
 * <p>Each method is one transaction: it does all or nothing. Immutable and safe for many threads.
 */
public final class IdgenRepair {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Transactions transactions;
    private final String prefix;
    private final Given given;

    /**
     * Creates a repair for one database. Opens no connection.
     *
     * @param dataSource provides connections that may read the application's tables and change idgen's
     */
    public IdgenRepair(DataSource dataSource) {
        this(
                new Transactions(Objects.requireNonNull(dataSource), TIMEOUT),
                IdgenSchema.DEFAULT_PREFIX,
                new Given(null, List.of(), false));
    }

    private IdgenRepair(Transactions transactions, String prefix, Given given) {
        this.transactions = transactions;
        this.prefix = prefix;
        this.given = given;
    }

    /** The time of the backup, the columns with ids, and whether this is a dry run. */
    record Given(@Nullable Instant backup, List<Column> columns, boolean dryRun) {
        /** Whether to change rows. */
        boolean writes() {
            return !dryRun;
        }

        List<SqlName> columns(String source) {
            return columns.stream()
                    .filter(each -> each.source.equals(source))
                    .map(Column::name)
                    .toList();
        }
    }

    /** A column that holds ids of a source. */
    record Column(String source, SqlName name) {}

    /**
     * Returns a copy for tables with another prefix, or in another schema.
     *
     * @param newPrefix replaces {@value IdgenSchema#DEFAULT_PREFIX}; to use another schema, begin it with the schema
     *     and a dot
     * @return a new repair
     * @throws IllegalArgumentException if table names cannot begin with the prefix
     */
    public IdgenRepair withPrefix(String newPrefix) {
        SqlName.parse(newPrefix + "segment", 1, 3);
        return new IdgenRepair(transactions, newPrefix, given);
    }

    /**
     * Returns a copy that knows the time of the restored backup. For each ten minutes since then, a counter rises by
     * its reach, because it cannot have granted more. It rises by at least twice its reach.
     *
     * @param backup the time of the last commit in the restored data; if in doubt, an earlier time
     * @return a new repair
     */
    public IdgenRepair restoredFrom(Instant backup) {
        return new IdgenRepair(
                transactions, prefix, new Given(Objects.requireNonNull(backup), given.columns, given.dryRun));
    }

    /**
     * Returns a copy that knows a column with ids of a source. The counter of the source then rises above its largest
     * value. Call it once for each column.
     *
     * @param source the name of the source
     * @param column the column, for example {@code orders.id}; do not pass user input
     * @return a new repair
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column
     */
    public IdgenRepair above(String source, String column) {
        Column more = new Column(Objects.requireNonNull(source), SqlName.parse(column, 2, 4));
        List<Column> all =
                Stream.concat(given.columns.stream(), Stream.of(more)).toList();
        return new IdgenRepair(transactions, prefix, new Given(given.backup, all, given.dryRun));
    }

    /**
     * Returns a copy whose methods change nothing, and report what they would change. They fail as without a dry run.
     *
     * @return a new repair
     */
    public IdgenRepair dryRun() {
        return new IdgenRepair(transactions, prefix, new Given(given.backup, given.columns, true));
    }

    /**
     * Repairs all of idgen's tables that exist:
     * <ul>
     *   <li>Worker ids lose the server that granted their ticks. The next lease of each begins above all ticks that can
     *       have been granted: a window and the skew of servers ahead of the database's clock. Reserved worker ids stay
     *       reserved.
     *   <li>Each counter of a source rises above all ids that it can have granted: see {@link #restoredFrom} and
     *       {@link #above}. If both are given, the larger number counts. A counter is never lowered.
     * </ul>
     *
     * <p>A second call raises counters again if the time of the backup is given; that only skips ids.
     *
     * @return the changes
     * @throws AllocationException if a worker id is leased, if nothing is known of a counter or a source has none, or
     *     if the database rejects a statement or does not answer; then nothing is changed
     * @throws IllegalArgumentException if the time of the backup lies in the future
     */
    public RepairReport afterRestore() {
        WorkerRepair workers = WorkerRepair.of(prefix, given.writes());
        List<CounterRows> counters =
                List.of(CounterRows.segments(prefix), CounterRows.sequences(prefix), CounterRows.stepped(prefix));
        boolean leases = exists(workers.table());
        List<CounterRows> existing =
                counters.stream().filter(each -> exists(each.table())).toList();
        if (!leases && existing.isEmpty()) {
            throw new AllocationException(
                    ErrorCode.TABLE_MISSING,
                    "none of idgen's tables exists with the prefix " + prefix
                            + "; name the prefix or the schema of the tables, or create them with the script that idgen"
                            + " schema prints");
        }
        return transactions.commit("repairing the tables " + prefix + "…", (connection, dialect) -> {
            List<Change> changes = new ArrayList<>();
            if (leases) {
                changes.addAll(workers.forgetServers(connection, dialect));
            }
            for (CounterRows each : existing) {
                changes.addAll(each.raise(connection, dialect, given));
            }
            refuseUnknownSources(existing, connection);
            return new RepairReport(given.dryRun, changes);
        });
    }

    private boolean exists(SqlName table) {
        return OwnTable.exists(transactions, table);
    }

    /** A mistyped name would leave a counter where it is. */
    private void refuseUnknownSources(List<CounterRows> counters, Connection connection) throws SQLException {
        for (Column each : given.columns) {
            boolean known = false;
            for (CounterRows rows : counters) {
                known |= rows.has(connection, each.source);
            }
            if (!known) {
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "no row for '" + each.source + "' in " + prefix + "segment, " + prefix + "sequence or " + prefix
                                + "stepped; correct the name, or leave it out and let the first process create the row"
                                + " with idgen.sources." + each.source + ".adopt=" + each.name
                                + "; nothing was changed");
            }
        }
    }

    /**
     * Lowers the horizons that a wrong clock has left further ahead than a correct one can have granted, to just above
     * the largest id that exists. The next lease of these worker ids begins above all ticks that a correct clock can
     * have granted. All other worker ids stay as they are. Reserved worker ids stay reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param column a column with ids of the namespace, for example {@code orders.id}; do not pass user input
     * @param more all other columns with ids of the namespace
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, if the columns contain no id or the largest one has a time
     *     in the future, or if the database rejects a statement or does not answer; then nothing is changed
     * @throws IllegalArgumentException if a column is not a valid name of a table and column
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, String column, String... more) {
        WorkerRepair workers = WorkerRepair.of(prefix, given.writes());
        List<SqlName> columns = Stream.concat(Stream.of(column), Arrays.stream(more))
                .map(each -> SqlName.parse(each, 2, 4))
                .toList();
        return inWorkers("lowering horizons in ", workers, (connection, dialect) -> {
            LargestId largest = largestId(connection, dialect, layout, columns);
            return new RepairReport(
                    given.dryRun,
                    workers.lowerHorizons(connection, dialect, namespace, layout.toString(), largest).stream()
                            .toList());
        });
    }

    private static LargestId largestId(
            Connection connection, Dialect dialect, SnowflakeLayout layout, List<SqlName> columns) throws SQLException {
        LargestId largest = null;
        for (SqlName each : columns) {
            long id = LargestValue.of(connection, dialect, each);
            if (id > 0 && (largest == null || id > largest.id())) {
                largest = LargestId.of(layout, id, each.toString());
            }
        }
        if (largest == null) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "there is no id in " + columns + ", so nothing shows how far horizons can be lowered; name the"
                            + " columns that contain the ids of the namespace; nothing was changed");
        }
        return largest;
    }

    /**
     * Ends the reservation of worker ids, so that processes lease them again. Raises their horizons above all ids that
     * a process with such a worker id can have generated. Ignores worker ids that are not reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param workerIds the worker ids as in the table, with the datacenter in the upper bits
     * @return the changes, one for each worker id that was reserved
     * @throws AllocationException if a process holds one of them, or the database rejects a statement or does not
     *     answer; then nothing is changed
     */
    public RepairReport unreserve(String namespace, int... workerIds) {
        WorkerRepair workers = WorkerRepair.of(prefix, given.writes());
        return inWorkers("ending reservations in ", workers, (connection, dialect) -> {
            List<Change> changes = new ArrayList<>();
            for (int workerId : workerIds) {
                workers.unreserve(connection, dialect, namespace, workerId).ifPresent(changes::add);
            }
            return new RepairReport(given.dryRun, changes);
        });
    }

    private RepairReport inWorkers(String purpose, WorkerRepair workers, Transactions.Work<RepairReport> work) {
        return new OwnTable(transactions, workers.table(), IdgenSchema.DEFAULT_PREFIX + "worker")
                .in(purpose + workers.table(), work);
    }

    /**
     * A condition that makes the commit durable. Processes that start later rely on the repair: if a crash of the
     * server lost it, ids would repeat.
     */
    static String durable(Dialect dialect) {
        return dialect.durableCommit().map(" AND "::concat).orElse("");
    }

    static String now(Dialect dialect) {
        return dialect.nowMillis()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE, "the dialect " + dialect.name() + " has no clock for worker ids"));
    }
}
