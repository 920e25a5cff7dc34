package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A primary with replicas, in memory. It has the worker ids of one namespace, and the counters. The clock of the
 * primary may step. A replica may take over without the last commits, or answer a SELECT. A backup may be restored. The
 * old primary may stay writable.
 */
public final class SimulatedDatabase {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** A row of {@code idgen_worker}. */
    public record WorkerRow(
            int workerId,
            String layout,
            long fence,
            @Nullable String token,
            long leaseUntil,
            long horizon,
            @Nullable String server,
            long generation,
            long grantedFrom) {

        /** A row that was never granted. */
        public WorkerRow(
                int workerId,
                String layout,
                long fence,
                @Nullable String token,
                long leaseUntil,
                long horizon,
                @Nullable String server) {
            this(workerId, layout, fence, token, leaseUntil, horizon, server, 0, 0);
        }

        public WorkerRow withLeaseUntil(long newLeaseUntil) {
            return heldBy(token, newLeaseUntil);
        }

        public WorkerRow heldBy(@Nullable String newToken, long newLeaseUntil) {
            return new WorkerRow(
                    workerId, layout, fence, newToken, newLeaseUntil, horizon, server, generation, grantedFrom);
        }

        public WorkerRow withHorizon(long newHorizon) {
            return new WorkerRow(
                    workerId, layout, fence, token, leaseUntil, newHorizon, server, generation, grantedFrom);
        }

        /** Returns the row after a statement that raises the fence. */
        public WorkerRow changed(@Nullable String newServer, long newGrantedFrom) {
            return new WorkerRow(
                    workerId, layout, fence + 1, token, leaseUntil, horizon, newServer, generation, newGrantedFrom);
        }

        WorkerRow withGeneration(long newGeneration) {
            return new WorkerRow(
                    workerId, layout, fence, token, leaseUntil, horizon, server, newGeneration, grantedFrom);
        }
    }

    /**
     * A row of {@code idgen_counter}.
     *
     * @param next the next id
     * @param server the server that granted the last ids
     * @param reach how many ids it grants at most in a window
     * @param win the end of the current window in ms
     * @param used how many ids it has granted in that window
     */
    public record CounterRow(long next, @Nullable String server, long reach, long win, long used) {}

    /** All rows at one moment. */
    public record Backup(Map<Integer, WorkerRow> workers, Map<String, CounterRow> counters) {}

    private final VirtualTime time;
    private LongSupplier readLagNanos = () -> 0;
    private final SimulatedTable<Integer, WorkerRow> workers;
    private final SimulatedTable<String, CounterRow> counters;
    private long aheadMillis;
    private long frozenAt = Long.MIN_VALUE;
    private int servers;
    private long takenOverAtMillis = START.toEpochMilli();
    private long latest;
    private String namespace = "";

    public SimulatedDatabase(VirtualTime time) {
        this.time = time;
        this.workers = new SimulatedTable<>(time::nanoTime, () -> readLagNanos.getAsLong());
        this.counters = new SimulatedTable<>(time::nanoTime, () -> readLagNanos.getAsLong());
    }

    /**
     * Lets replicas answer SELECTs without a lock. The supplier returns the lag of the replica that answers the next
     * one.
     */
    public void readFromReplicas(LongSupplier newReadLagNanos) {
        readLagNanos = newReadLagNanos;
    }

    /** Returns whether the rows belong to a namespace. Rows that a test has created belong to every namespace. */
    boolean isOf(String aNamespace) {
        return namespace.isEmpty() || namespace.equals(aNamespace);
    }

    void name(String newNamespace) {
        namespace = newNamespace;
    }

    /** Returns the value of {@code NOW}. */
    public long nowMillis() {
        long now = frozenAt != Long.MIN_VALUE
                ? frozenAt
                : START.toEpochMilli() + time.nanoTime() / 1_000_000 + aheadMillis;
        latest = Math.max(latest, now);
        return now;
    }

    /** Returns the highest time that the clock has ever shown. */
    long latestMillis() {
        nowMillis();
        return latest;
    }

    public void stepClock(long millis) {
        aheadMillis += millis;
    }

    void freezeClock(boolean frozen) {
        frozenAt = frozen ? nowMillis() : Long.MIN_VALUE;
    }

    public String server() {
        return "server " + servers;
    }

    /** Returns since when the present server answers, by its own clock. */
    long takenOverAtMillis() {
        return takenOverAtMillis;
    }

    /** Lets a replica take over without the last commits to the worker ids. It has all commits to the counters. */
    public void failOver(int lostCommits, long newAheadMillis) {
        servers++;
        aheadMillis = newAheadMillis;
        takenOverAtMillis = nowMillis();
        workers.loseLast(lostCommits);
    }

    /**
     * Lets a replica take over as another server, without the commits of the last {@code lag}. Its clock shows the same
     * time.
     */
    public void failOver(Duration lag) {
        servers++;
        takenOverAtMillis = nowMillis();
        lose(lag);
    }

    /** Loses the commits of the last {@code lag}. The identity of the server stays the same. */
    public void lose(Duration lag) {
        workers.loseWithin(lag.toNanos());
        counters.loseWithin(lag.toNanos());
    }

    public Backup backup() {
        return new Backup(workers.before(0), counters.before(0));
    }

    /** Sets all rows back. The identity of the server stays the same; call {@link #failOver} to change it too. */
    public void restore(Backup backup) {
        workers.restore(backup.workers);
        counters.restore(backup.counters);
    }

    /** Returns a second primary with the same rows, identity and time: a split brain. */
    public SimulatedDatabase fork() {
        SimulatedDatabase fork = new SimulatedDatabase(time);
        fork.aheadMillis = aheadMillis;
        fork.frozenAt = frozenAt;
        fork.servers = servers;
        fork.namespace = namespace;
        fork.restore(backup());
        return fork;
    }

    public SimulatedTable<String, CounterRow> counters() {
        return counters;
    }

    SimulatedTable<Integer, WorkerRow> workers() {
        return workers;
    }

    public List<WorkerRow> rows() {
        return workers.all();
    }

    /** Returns the rows that a SELECT without a lock reads. */
    List<WorkerRow> readRows() {
        return List.copyOf(workers.read().values());
    }

    @Nullable
    public WorkerRow row(int workerId) {
        return workers.get(workerId);
    }

    /** Creates, changes or, with null, deletes a row. */
    public void set(int workerId, @Nullable WorkerRow row) {
        workers.set(workerId, row);
    }

    public void edit(int workerId, UnaryOperator<WorkerRow> change) {
        WorkerRow row = workers.get(workerId);
        if (row != null) {
            set(workerId, change.apply(row));
        }
    }
}
