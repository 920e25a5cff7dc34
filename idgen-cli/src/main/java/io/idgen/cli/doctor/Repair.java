package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets idgen's tables, or the worker ids in another store, above all ids that were generated: after a backup was
 * restored, a table truncated, data lost, or a replica promoted. Also lowers horizons that a wrong clock has left far
 * ahead. Stop all processes that generate ids first, except {@linkplain
 * #afterPromotion after a promotion}. A repair fails while a worker id is leased. It cannot see a process that uses
 * only segments. After a loss of all data it cannot see which processes run: those continue in their windows, and then
 * lease anew.
 *
 * <p>Each method makes all its changes or none; on a database, it is one transaction. Immutable and safe for many
 * threads.
 */
public final class Repair {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String ANY = "default";

    private final WorkerRepair workers;
    private final @Nullable KnownTables tables;

    private Repair(WorkerRepair workers, @Nullable KnownTables tables) {
        this.workers = workers;
        this.tables = tables;
    }

    /**
     * Creates a repair for one database. Opens no connection.
     *
     * @param tables idgen's tables; its connections may read the application's tables and change idgen's
     * @return a repair
     */
    public static Repair of(KnownTables tables) {
        return new Repair(new WorkerRepair(tables.admin(tables.transactions(TIMEOUT)), false), tables);
    }

    /**
     * Creates a repair for the worker ids in a store. Opens no connection.
     *
     * @param store the rows of the store
     * @return a repair
     */
    public static Repair of(LeaseAdmin store) {
        return new Repair(new WorkerRepair(store, false), null);
    }

    /**
     * Returns a copy whose methods change nothing, and report what they would change. They fail as without a dry run.
     *
     * @return a new repair
     */
    public Repair dryRun() {
        return new Repair(new WorkerRepair(workers.admin(), true), tables);
    }

    /**
     * Repairs all of idgen's tables that exist, or all namespaces of another store that can list them:
     * <ul>
     *   <li>Worker ids lose the server that granted their ticks. The next lease of each begins above all ticks that can
     *       have been granted: a window and the skew of servers ahead of the store's clock.
     *   <li>Each counter of a source rises above all ids that it can have granted: see {@link KnownTables#restoredFrom}
     *       and {@link KnownTables#withColumn}. If both are given, the larger number counts. It is never lowered.
     * </ul>
     *
     * <p>A second call raises counters again if the time of the backup is given; that only skips ids.
     *
     * @return the changes
     * @throws AllocationException if a worker id is leased, if nothing is known of a counter or a source has none, or
     *     if the store rejects a request or does not answer; then nothing is changed
     * @throws IllegalArgumentException if the time of the backup lies in the future, or there is nothing to repair
     */
    public RepairReport afterRestore() {
        return afterRestore(ANY);
    }

    /**
     * Repairs a store that cannot list its namespaces; Redis, for example, where this writes a new incarnation marker.
     * Does the same as {@link #afterRestore()} for other stores.
     *
     * @param namespace the namespace of the worker ids
     * @return the changes
     * @throws AllocationException as the other method
     * @throws IllegalArgumentException as the other method
     */
    public RepairReport afterRestore(String namespace) {
        return report(tables == null ? workers.forgetServers(namespace) : afterRestore(tables));
    }

    private RepairReport report(List<Change> changes) {
        return new RepairReport(workers.dryRun(), changes);
    }

    private List<Change> afterRestore(KnownTables known) {
        Transactions transactions = known.transactions(TIMEOUT);
        List<SqlName> existing = known.existing(transactions);
        List<Change> raised = new ArrayList<>();
        Transactions.Work<?> raise = (connection, dialect) -> {
            raised.clear(); // a database may run the transaction again
            if (existing.contains(known.counters()) || !known.columns().isEmpty()) {
                raised.addAll(new CounterRepair(known, !workers.dryRun()).raise(connection, dialect));
            }
            return raised;
        };
        WorkerTableAdmin admin = known.admin(transactions);
        List<Change> changes = new ArrayList<>();
        boolean hasWorkers =
                existing.contains(known.workers()) && !admin.namespaces(ANY).isEmpty();
        if (hasWorkers) {
            changes.addAll(new WorkerRepair(admin.alongside(raise), workers.dryRun()).forgetServers(ANY));
        }
        if (!hasWorkers || workers.dryRun()) {
            transactions.commit("repairing the tables " + known.prefix() + "…", raise);
        }
        changes.addAll(raised);
        return changes;
    }

    /**
     * Prepares a promoted server, before the application may connect to it: each row counts as granted by another
     * server, whatever the identity of this one. So the next ids of each counter begin at twice its reach above its
     * number, and the next lease of each worker id begins above all ticks that can have been granted. It is the same as
     * what idgen does by itself where it detects a promotion. It cannot detect it on MySQL without GTIDs if a former
     * primary becomes the primary again, on MariaDB and MySQL if that one was rebuilt without a restart, and if {@code
     * idgen.jdbc.server-identity} stays the same. Call it at every promotion there.
     *
     * <p>Processes may run: they continue in their windows, and then lease anew. A second call changes nothing, until
     * ids are granted again.
     *
     * @return the changes, one for each namespace and each counter; empty if no row names a server
     * @throws AllocationException if the server is a replica or read-only, or if the database rejects a statement or
     *     does not answer; then nothing is changed
     * @throws IllegalArgumentException if the store is no database
     */
    public RepairReport afterPromotion() {
        if (tables == null) {
            throw new IllegalArgumentException("only databases need a repair after a promotion: a promoted Redis has"
                    + " another run_id, and ZooKeeper another leader epoch, so idgen detects both by itself");
        }
        return report(new Promotion(tables, workers.dryRun()).forgetServers(TIMEOUT));
    }

    /**
     * Lowers the horizons that a wrong clock has left further ahead than a correct one can have granted, to just above
     * the largest id that exists. The next lease of these worker ids begins above all ticks that a correct clock can
     * have granted. All other worker ids stay as they are.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param columns all columns of the database with ids of the namespace, for example {@code orders.id}; do not pass
     *     user input
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, if the columns contain no id or the largest one has a time
     *     in the future, or if the database rejects a statement or does not answer; then nothing is changed
     * @throws IllegalArgumentException if a column is not a valid name of a table and column, or the store is no
     *     database
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, String... columns) {
        if (tables == null) {
            throw new IllegalArgumentException(
                    "only a database has columns; name the largest id of the namespace in all columns");
        }
        List<SqlName> names =
                Arrays.stream(columns).map(each -> SqlName.parse(each, 2, 4)).toList();
        LargestId largest = tables.transactions(TIMEOUT).commit("looking for the largest id", (connection, dialect) -> {
            long id = 0;
            SqlName found = names.get(0);
            for (SqlName each : names) {
                long inColumn = LargestValue.of(connection, dialect, each, false);
                found = inColumn > id ? each : found;
                id = Math.max(id, inColumn);
            }
            return LargestId.of(layout, id, id > 0 ? found.toString() : names.toString());
        });
        return report(workers.lowerHorizons(namespace, layout, largest));
    }

    /**
     * Lowers horizons in a store that has no columns with ids, as the other method does on a database.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param largestId the largest id of the namespace in all tables
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, the largest id is not above 0 or has a time in the future,
     *     the namespace has another layout, or the store does not answer or refuses; then nothing is changed
     * @throws IllegalArgumentException if the store is a database, whose columns show the largest id, or there is
     *     nothing to repair
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, long largestId) {
        if (tables != null) {
            throw new IllegalArgumentException("a database shows the largest id itself; name every column with ids of"
                    + " the namespace in place of the largest id");
        }
        return report(workers.lowerHorizons(namespace, layout, LargestId.of(layout, largestId, null)));
    }

    /**
     * Moves a namespace to another layout in one step. No worker id of it may be leased, all horizons must
     * lie in the past, and the ids of the new layout must be larger than those of the old one. Afterwards, processes
     * with the old layout get no worker id.
     *
     * @param namespace the namespace of the worker ids
     * @param from the layout that its rows have
     * @param to the new layout
     * @return the change
     * @throws AllocationException if these conditions do not hold, or the store rejects a request or does not answer;
     *     then nothing is changed
     * @throws IllegalArgumentException if there is nothing to repair
     */
    public RepairReport changeLayout(String namespace, SnowflakeLayout from, SnowflakeLayout to) {
        return report(workers.changeLayout(namespace, from, to));
    }

    /**
     * Removes a namespace with all its rows, for example one whose name was misspelt. No worker id of it may be leased
     * and all horizons must lie in the past. A process that still uses the name creates the rows again.
     *
     * @param namespace the namespace of the worker ids
     * @return the change
     * @throws AllocationException if these conditions do not hold, or the store rejects a request or does not answer;
     *     then nothing is changed
     * @throws IllegalArgumentException if there is no such namespace
     */
    public RepairReport removeNamespace(String namespace) {
        return report(workers.remove(namespace));
    }
}
