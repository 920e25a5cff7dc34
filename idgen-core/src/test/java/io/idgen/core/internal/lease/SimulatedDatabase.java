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
 * The worker ids of one namespace and the counters, in memory, on a primary with replicas. The clock of the primary may
 * step. A replica takes over without the last commits, or answers a SELECT; a backup is restored; the old primary stays
 * writable.
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
            long longestWindow,
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
                long longestWindow,
                @Nullable String server) {
            this(workerId, layout, fence, token, leaseUntil, horizon, longestWindow, server, 0, 0);
        }

        public WorkerRow withLeaseUntil(long newLeaseUntil) {
            return heldBy(token, newLeaseUntil);
        }

        public WorkerRow heldBy(@Nullable String newToken, long newLeaseUntil) {
            return new WorkerRow(
                    workerId,
                    layout,
                    fence,
                    newToken,
                    newLeaseUntil,
                    horizon,
                    longestWindow,
                    server,
                    generation,
                    grantedFrom);
        }

        public WorkerRow withHorizon(long newHorizon) {
            return new WorkerRow(
                    workerId,
                    layout,
                    fence,
                    token,
                    leaseUntil,
                    newHorizon,
                    longestWindow,
                    server,
                    generation,
                    grantedFrom);
        }

        /** After a statement that raises the fence, by a server, with the horizon from which ticks were granted. */
        public WorkerRow changed(@Nullable String newServer, long newGrantedFrom) {
            return new WorkerRow(
                    workerId,
                    layout,
                    fence + 1,
                    token,
                    leaseUntil,
                    horizon,
                    longestWindow,
                    newServer,
                    generation,
                    newGrantedFrom);
        }

        WorkerRow withGeneration(long newGeneration) {
            return new WorkerRow(
                    workerId,
                    layout,
                    fence,
                    token,
                    leaseUntil,
                    horizon,
                    longestWindow,
                    server,
                    newGeneration,
                    grantedFrom);
        }
    }

    /**
     * A row of {@code idgen_segment}: the next id, the server that granted the last ids, the most ids that it grants in
     * a window, the end of the current window in ms, and how many ids it has granted in that window.
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

    /** Lets replicas answer the SELECTs without a lock: how far behind the replica of the next one is. */
    public void readFromReplicas(LongSupplier newReadLagNanos) {
        readLagNanos = newReadLagNanos;
    }

    /** Whether its rows are of a namespace; those that a test has made are of any. */
    boolean isOf(String aNamespace) {
        return namespace.isEmpty() || namespace.equals(aNamespace);
    }

    void name(String newNamespace) {
        namespace = newNamespace;
    }

    /** What {@code NOW} gives. */
    public long nowMillis() {
        long now = frozenAt != Long.MIN_VALUE
                ? frozenAt
                : START.toEpochMilli() + time.nanoTime() / 1_000_000 + aheadMillis;
        latest = Math.max(latest, now);
        return now;
    }

    /** The highest that the clock has ever shown. */
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

    /** Since when the server answers, by its own clock. */
    long takenOverAtMillis() {
        return takenOverAtMillis;
    }

    /** Another server answers from now on, which has heard of all commits. */
    void answersAs(int otherServer) {
        servers = otherServer;
        takenOverAtMillis = nowMillis();
    }

    /** A replica takes over without the last commits to the worker ids; it has those to the counters. */
    public void failOver(int lostCommits, long newAheadMillis) {
        servers++;
        aheadMillis = newAheadMillis;
        takenOverAtMillis = nowMillis();
        workers.loseLast(lostCommits);
    }

    /** A replica takes over, as another server, without the commits of this last time. Its clock shows the same. */
    public void failOver(Duration lag) {
        servers++;
        takenOverAtMillis = nowMillis();
        lose(lag);
    }

    /** The commits of this last time are gone. No server has another identity afterwards. */
    public void lose(Duration lag) {
        workers.loseWithin(lag.toNanos());
        counters.loseWithin(lag.toNanos());
    }

    public Backup backup() {
        return new Backup(workers.before(0), counters.before(0));
    }

    /** Sets all rows back. The server stays the same: take {@link #failOver} for a restore that names another one. */
    public void restore(Backup backup) {
        workers.restore(backup.workers);
        counters.restore(backup.counters);
    }

    /** A second primary, with the same rows, identity and time: split brain. */
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

    /** The rows that a SELECT without a lock reads. */
    List<WorkerRow> readRows() {
        return List.copyOf(workers.read().values());
    }

    @Nullable
    public WorkerRow row(int workerId) {
        return workers.get(workerId);
    }

    /** Makes, changes or deletes a row. */
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
