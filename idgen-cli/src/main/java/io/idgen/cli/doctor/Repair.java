package io.idgen.cli.doctor;

import io.idgen.cli.doctor.RepairReport.Change;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.core.lease.LeaseAdmin.Worker;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
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

    private final LeaseAdmin admin;
    private final @Nullable KnownTables tables;
    private final boolean dryRun;

    private Repair(LeaseAdmin admin, @Nullable KnownTables tables, boolean dryRun) {
        this.admin = admin;
        this.tables = tables;
        this.dryRun = dryRun;
    }

    /**
     * Creates a repair for one database. Opens no connection.
     *
     * @param tables idgen's tables; its connections may read the application's tables and change idgen's
     * @return a repair
     */
    public static Repair of(KnownTables tables) {
        return new Repair(tables.withoutServer(new Transactions(tables.dataSource(), TIMEOUT)), tables, false);
    }

    /**
     * Creates a repair for the worker ids in a store. Opens no connection.
     *
     * @param store the rows of the store
     * @return a repair
     */
    public static Repair of(LeaseAdmin store) {
        return new Repair(store, null, false);
    }

    /**
     * Returns a copy whose methods change nothing, and report what they would change. They fail as without a dry run.
     *
     * @return a new repair
     */
    public Repair dryRun() {
        return new Repair(admin, tables, true);
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
     * <p>In Redis, this writes a new incarnation marker. A second call raises counters again if the time of the backup
     * is given; that only skips ids.
     *
     * @param namespace the namespace of the worker ids, for a store that cannot list its namespaces
     * @return the changes
     * @throws AllocationException if a worker id is leased, if nothing is known of a counter or a source has none, or
     *     if the store rejects a request or does not answer; then nothing is changed
     * @throws IllegalArgumentException if the time of the backup lies in the future, or there is nothing to repair
     */
    public RepairReport afterRestore(String namespace) {
        return report(tables == null ? forgetServers(admin, namespace, admin::forgetServers) : afterRestore(tables));
    }

    private RepairReport report(List<Change> changes) {
        return new RepairReport(dryRun, changes);
    }

    private List<Change> afterRestore(KnownTables known) {
        Transactions transactions = new Transactions(known.dataSource(), TIMEOUT);
        List<SqlName> existing = known.existing(transactions);
        List<Change> raised = new ArrayList<>();
        Transactions.Work<?> raise = (connection, dialect) -> {
            raised.clear(); // a database may run the transaction again
            if (existing.contains(known.counters()) || !known.columns().isEmpty()) {
                raised.addAll(new TableRepair(known, !dryRun).raise(connection, dialect));
            }
            return raised;
        };
        List<Change> changes = new ArrayList<>();
        boolean hasWorkers =
                existing.contains(known.workers()) && !admin.namespaces(ANY).isEmpty();
        if (hasWorkers) {
            WorkerTableAdmin rows = known.withoutServer(transactions);
            changes.addAll(forgetServers(rows, ANY, (seen, marker) -> rows.forgetServers(seen, raise)));
        }
        if (!hasWorkers || dryRun) {
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
        Transactions transactions = new Transactions(tables.dataSource(), TIMEOUT);
        List<SqlName> existing = tables.existing(transactions);
        TableRepair repair = new TableRepair(tables, !dryRun);
        return report(transactions.commit(
                "forgetting the servers of " + tables.prefix() + "…",
                (connection, dialect) -> repair.forgetServers(connection, dialect, existing)));
    }

    /**
     * Lowers the horizons that a wrong clock has left further ahead than a correct one can have granted, to just above
     * the largest id that exists. The next lease of these worker ids begins above all ticks that a correct clock can
     * have granted. All other worker ids stay as they are.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param largestId an id that is as large as all of the namespace; 0 if columns show it
     * @param columns all columns of the database with ids of the namespace, for example {@code orders.id}; do not pass
     *     user input
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, if there is no id or the largest one has a time in the
     *     future, if the namespace has another layout, or if the store rejects a request or does not answer; then
     *     nothing is changed
     * @throws IllegalArgumentException if a column is not a valid name of a table and column, or there is nothing to
     *     repair
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, long largestId, String... columns) {
        long largest = Math.max(largestId, tables == null ? 0 : largest(tables, columns));
        String in = columns.length == 0 ? "" : " in " + String.join(", ", columns);
        if (largest <= 0) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "there is no id" + in + ", so nothing shows how far horizons can be lowered; name all columns that"
                            + " contain ids of the namespace, or the largest id in them; nothing was changed");
        }
        Namespace seen = named(namespace, layout);
        HeldRows.refuseIfHeld(admin, List.of(seen));
        Instant end = layout.parse(largest).time().plus(layout.tick());
        if (end.isAfter(seen.now())) {
            throw new AllocationException(
                    ErrorCode.HORIZON_FAR,
                    "the largest id" + in + ", " + largest + ", has the time " + NamespaceUse.time(end)
                            + ", and the store's clock is at " + NamespaceUse.time(seen.now())
                            + ": horizons are not lowered to a time in the future; correct the clock if it is behind,"
                            + " leave the id or its column out if it is not of this namespace and layout, or wait until"
                            + " then and repair again; nothing was changed");
        }
        long most = seen.now().plus(NamespaceUse.MOST_AHEAD).toEpochMilli();
        List<Worker> far = seen.workers().stream()
                .filter(worker -> worker.row().horizonMillis() > most)
                .toList();
        if (far.isEmpty()) {
            return report(List.of());
        }
        change(
                seen,
                seen.layout(),
                far.stream()
                        .map(worker -> new LeaseAdmin.Change(worker, end.toEpochMilli(), true))
                        .toList());
        return report(List.of(change(
                seen,
                far.size() + " worker ids",
                "horizons up to " + NamespaceUse.time(NamespaceUse.furthestMillis(far)),
                "horizons at " + NamespaceUse.time(end))));
    }

    private static long largest(KnownTables tables, String... columns) {
        List<SqlName> names =
                Arrays.stream(columns).map(each -> SqlName.parse(each, 2, 4)).toList();
        return new Transactions(tables.dataSource(), TIMEOUT)
                .commit("looking for the largest id", (connection, dialect) -> {
                    long id = 0;
                    for (SqlName each : names) {
                        id = Math.max(id, LargestValue.of(connection, dialect, each, false));
                    }
                    return id;
                });
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
        Namespace seen = named(namespace, from);
        HeldRows.refuseUnlessUnused(admin, List.of(seen));
        Instant now = seen.now();
        if (to.firstIdAt(now) < from.firstIdAt(now)) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "ids of layout " + to + " begin at " + to.firstIdAt(now) + " now, below those of " + from
                            + ", which are at " + from.firstIdAt(now)
                            + "; choose an earlier epoch or more time bits; nothing was changed");
        }
        long lowest = new RowRules(to).movedMillis(now.toEpochMilli());
        change(
                seen,
                LeaseTerms.layoutAndTimes(to),
                seen.workers().stream()
                        .map(worker -> new LeaseAdmin.Change(worker, lowest, false))
                        .toList());
        return report(List.of(change(
                seen,
                seen.workers().size() + " worker ids",
                "layout " + from,
                "layout " + to + ", ids begin at " + NamespaceUse.time(lowest)
                        + " or later; set it in all processes before they start")));
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
        List<Namespace> all = read(admin, namespace);
        List<Namespace> named =
                all.stream().filter(each -> each.name().equals(namespace)).toList();
        if (named.stream().allMatch(Repair::isEmpty)) {
            String others = all.stream()
                    .map(Namespace::name)
                    .filter(each -> !each.equals(namespace))
                    .distinct()
                    .collect(Collectors.joining("', '"));
            throw new IllegalArgumentException("there is no namespace '" + namespace + "' in " + admin
                    + (others.isEmpty() ? "" : ", which has '" + others + "'") + "; correct the name");
        }
        HeldRows.refuseUnlessUnused(admin, named);
        named.forEach(each -> change(each, "", List.of()));
        return report(named.stream()
                .map(each -> change(
                        each,
                        each.workers().size() + " worker ids",
                        (each.layout().isEmpty() ? each.marker() : "layout " + each.layout())
                                + ", horizons up to "
                                + NamespaceUse.time(NamespaceUse.furthestMillis(each.workers())),
                        "removed"))
                .toList());
    }

    // ---- the rules of repairs of worker ids, the same for each kind of store

    /** Lets the next lease of each row begin above all ticks that can have been granted. */
    private List<Change> forgetServers(LeaseAdmin rows, String known, BiPredicate<List<Namespace>, String> forget) {
        List<Namespace> seen = read(rows, known);
        HeldRows.refuseIfHeld(rows, seen);
        String marker = UUID.randomUUID().toString();
        if (!dryRun && !forget.test(seen, marker)) {
            HeldRows.refuseIfHeld(rows, rows.namespaces(known));
            throw changedMeanwhile();
        }
        return seen.stream().map(namespace -> forgotten(namespace, marker)).toList();
    }

    private static List<Namespace> read(LeaseAdmin admin, String known) {
        admin.checkWritable(known);
        List<Namespace> namespaces = admin.namespaces(known);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("there are no worker ids in " + admin
                    + ", so there is nothing to repair; check the address of the store, and the prefix or root that the"
                    + " settings of the processes have");
        }
        return namespaces;
    }

    private Change forgotten(Namespace namespace, String marker) {
        long furthest = NamespaceUse.furthestMillis(namespace.workers());
        boolean hasMarkers = !namespace.marker().isEmpty();
        return change(
                namespace,
                namespace.workers().size() + " worker ids",
                (hasMarkers ? namespace.marker() + ", " : "") + "horizons up to " + NamespaceUse.time(furthest),
                (hasMarkers ? (dryRun ? "a new marker" : "marker " + marker) + ", " : "") + "ids begin at "
                        + NamespaceUse.time(Math.max(
                                furthest, namespace.now().plus(LeaseTerms.GAP).toEpochMilli()))
                        + " or later");
    }

    private static Change change(Namespace namespace, String rows, String before, String after) {
        return new Change(
                namespace.place(), (namespace.isShared() ? namespace.name() + ", " : "") + rows, before, after);
    }

    private void change(Namespace seen, String layout, List<LeaseAdmin.Change> changes) {
        if (!dryRun && !admin.change(seen, layout, changes)) {
            throw changedMeanwhile();
        }
    }

    private AllocationException changedMeanwhile() {
        return new AllocationException(
                ErrorCode.WORKER_ID_IN_USE,
                "a process has changed worker ids in " + admin
                        + " meanwhile; stop all processes, and repair again; nothing was changed");
    }

    private Namespace named(String name, SnowflakeLayout layout) {
        List<Namespace> named = read(admin, name).stream()
                .filter(each -> each.name().equals(name))
                .toList();
        return named.stream()
                .filter(each -> new NamespaceUse(each).layout().equals(Optional.of(layout)))
                .findFirst()
                .orElseThrow(() -> new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "namespace '" + name + "' in " + admin + " has no worker ids of layout " + layout
                                + ", its layout is "
                                + named.stream()
                                        .map(Namespace::layout)
                                        .filter(each -> !each.isEmpty())
                                        .findFirst()
                                        .orElse("none")
                                + "; name that layout, or the right namespace"));
    }

    /** Redis shows a namespace of any name. */
    private static boolean isEmpty(Namespace namespace) {
        return namespace.workers().isEmpty()
                && namespace.layout().isEmpty()
                && !namespace.marker().startsWith("marker ");
    }
}
