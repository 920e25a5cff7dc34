package io.idgen.ops;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.ops.GrowthPlan.Step;
import io.idgen.ops.RepairReport.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds databases to the strategy {@code stepped} while processes generate ids: N databases become N + 1. All databases
 * must answer. Processes with the old list continue up to a limit, and then fail. Processes with the new list get ids
 * as soon as the growth has ended; start them then.
 *
 * <p>No two ids are equal, for these reasons:
 * <ol>
 *   <li>The row of each old database gets a limit. One statement sets it, and only on a row whose next id is not
 *       above it. All ids of the old set are therefore below the largest of these limits. No statement changes a
 *       limit again.
 *   <li>The rows of the new set begin above the largest limit. Each is written with the {@code id_limit} 1, so it
 *       grants nothing. The growth opens them only after it has written all of them, and has read all limits again.
 *   <li>Within the new set, ids differ by their remainders, as before.
 * </ol>
 *
 * <p>Each step is one statement in one database, and depends only on the rows that the databases have. So the growth
 * may end anywhere, for example because a database fails: call it again, and it continues. Several may run at once.
 * Between the last write and the first opening it waits for the lag of replicas, because a replica that takes over
 * must not lack a limit. Immutable and safe for many threads.
 */
public final class Growth {

    /** How long a replica may lag, if databases can have replicas: half of the time that a reach refers to. */
    private static final Duration DEFAULT_REPLICA_LAG = Duration.ofMinutes(5);

    static final String AGAIN = "repeat idgen grow with the same list, and it continues";

    private final List<IdgenTables> databases;
    private final @Nullable Long room;
    private final @Nullable Duration replicaLag;
    private final boolean dryRun;

    /** Waits for the replicas. */
    interface Pause {
        void last(Duration duration) throws InterruptedException;
    }

    private Growth(List<IdgenTables> databases, @Nullable Long room, @Nullable Duration replicaLag, boolean dryRun) {
        this.databases = databases;
        this.room = room;
        this.replicaLag = replicaLag;
        this.dryRun = dryRun;
    }

    /**
     * Creates a growth. Opens no connection.
     *
     * @param databases idgen's tables on all databases: the old ones in the order of the old list, and then the new
     * ones
     * @return a growth
     * @throws IllegalArgumentException if there are fewer than two
     */
    public static Growth to(List<IdgenTables> databases) {
        if (databases.size() < 2) {
            throw new IllegalArgumentException("a set grows to two databases at least, got " + databases.size()
                    + "; name all of them, the new one last");
        }
        return new Growth(List.copyOf(databases), null, null, false);
    }

    /**
     * Returns a copy with another room: how many ids each old database may still grant. The default is twice the reach
     * of its row, which lasts for ten minutes at least. The ids of the new set begin above the room, so it decides how
     * large they are.
     *
     * @param ids at least 1
     * @return a new growth
     * @throws IllegalArgumentException if it is below 1
     */
    public Growth withRoom(long ids) {
        if (ids < 1) {
            throw new IllegalArgumentException("the room must be at least 1 id, got " + ids);
        }
        return new Growth(databases, ids, replicaLag, dryRun);
    }

    /**
     * Returns a copy with another wait for replicas. The default is 5 minutes, or none if no database can have
     * replicas.
     *
     * @param longest how far a replica that may take over lags at most; zero if none can lack a commit
     * @return a new growth
     * @throws IllegalArgumentException if it is negative
     */
    public Growth withReplicaLag(Duration longest) {
        if (longest.isNegative()) {
            throw new IllegalArgumentException("the lag of replicas must not be negative, got " + longest);
        }
        return new Growth(databases, room, longest, dryRun);
    }

    /**
     * Returns a copy that changes nothing, and reports what it would change. It fails as without a dry run.
     *
     * @return a new growth
     */
    public Growth dryRun() {
        return new Growth(databases, room, replicaLag, true);
    }

    /**
     * Adds the databases for all sources that have a row. Does nothing for sources that have all of them already.
     * Blocks for the lag of replicas.
     *
     * @param progress receives each change after it is made, in the thread of the caller
     * @throws AllocationException if a database does not answer or rejects a statement, or if its rows belong to
     *     another set or another order. Ids stay different; if the message says so, call it again
     * @throws IllegalArgumentException if a row has no reach and no room is given
     */
    public void grow(Consumer<Change> progress) {
        grow(progress, lag -> Thread.sleep(lag.toMillis()));
    }

    void grow(Consumer<Change> progress, Pause pause) {
        List<SteppedRows> tables = IntStream.range(0, databases.size())
                .mapToObj(i -> new SteppedRows(databases.get(i), i + 1, databases.size()))
                .toList();
        if (dryRun) {
            plan(tables, progress);
            return;
        }
        AtomicInteger changes = new AtomicInteger();
        Consumer<Change> counted = progress.andThen(any -> changes.incrementAndGet());
        while (!prepare(tables, counted).isEmpty()) {
            await(tables, pause);
            int before = changes.get();
            List<String> prepared = prepare(tables, counted);
            // after a change, a takeover has lost what was written before the wait, so another wait is needed
            if (changes.get() == before) {
                prepared.forEach(source -> makeWhile(Step::opens, tables, source, counted));
            }
        }
    }

    /** Makes all changes before the opening. Returns the sources that have rows to open. */
    private List<String> prepare(List<SteppedRows> tables, Consumer<Change> progress) {
        List<String> prepared = new ArrayList<>();
        for (String source : sources(tables)) {
            if (makeWhile(step -> !step.opens(), tables, source, progress).isPresent()) {
                prepared.add(source);
            }
        }
        return prepared;
    }

    /** Makes the steps of a source while they are of one kind. Returns the first step of the other kind. */
    private Optional<Step> makeWhile(
            Predicate<Step> isOfKind, List<SteppedRows> tables, String source, Consumer<Change> progress) {
        GrowthPlan plan = new GrowthPlan(databases.size(), room);
        while (true) {
            Optional<Step> step = plan.next(
                    source, tables.stream().map(each -> each.lock(source)).toList());
            if (step.isEmpty() || !isOfKind.test(step.get())) {
                return step;
            }
            SteppedRows table = tables.get(step.get().database());
            if (table.make(source, step.get())) { // otherwise a process or another growth was faster
                progress.accept(table.change(source, step.get()));
            }
        }
    }

    private void plan(List<SteppedRows> tables, Consumer<Change> progress) {
        GrowthPlan plan = new GrowthPlan(databases.size(), room);
        for (String source : sources(tables)) {
            List<List<SteppedRow>> rows = new ArrayList<>(
                    tables.stream().map(each -> each.read(source)).toList());
            for (Optional<Step> step = plan.next(source, rows); step.isPresent(); step = plan.next(source, rows)) {
                int database = step.get().database();
                progress.accept(tables.get(database).change(source, step.get()));
                rows.set(database, step.get().madeIn(rows.get(database)));
            }
        }
    }

    private static Set<String> sources(List<SteppedRows> tables) {
        Set<String> sources = new TreeSet<>();
        tables.forEach(each -> sources.addAll(each.sources()));
        return sources;
    }

    private void await(List<SteppedRows> tables, Pause pause) {
        Duration lag = replicaLag != null
                ? replicaLag
                : tables.stream().anyMatch(SteppedRows::mayHaveReplicas) ? DEFAULT_REPLICA_LAG : Duration.ZERO;
        if (lag.isZero()) {
            return;
        }
        System.getLogger(Growth.class.getName())
                .log(System.Logger.Level.INFO, "waiting {0} for the lag of replicas, then opening the new rows", lag);
        try {
            pause.last(lag);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(
                    "interrupted while waiting for the lag of replicas; the new rows are not open yet; " + Growth.AGAIN,
                    e);
        }
    }
}
