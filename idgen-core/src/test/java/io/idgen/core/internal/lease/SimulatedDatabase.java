package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.VirtualTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The table of worker ids of one namespace, in memory, on a server whose clock steps and that may lose its last
 * commits.
 */
public final class SimulatedDatabase {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int REPLICATION_LAG = 64;

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

    private record Commit(int workerId, @Nullable WorkerRow before) {}

    private final VirtualTime time;
    private final TreeMap<Integer, WorkerRow> rows = new TreeMap<>();
    private final Deque<Commit> commits = new ArrayDeque<>();
    private long aheadMillis;
    private long frozenAt = Long.MIN_VALUE;
    private int servers;
    private long latest;
    private String namespace = "";

    public SimulatedDatabase(VirtualTime time) {
        this.time = time;
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

    /** Another server answers from now on, which has heard of all commits. */
    void answersAs(int otherServer) {
        servers = otherServer;
    }

    /** A replica takes over that has not heard of the last commits. */
    public void failOver(int lostCommits, long newAheadMillis) {
        servers++;
        aheadMillis = newAheadMillis;
        for (int i = 0; i < lostCommits && !commits.isEmpty(); i++) {
            Commit lost = commits.removeLast();
            if (lost.before == null) {
                rows.remove(lost.workerId);
            } else {
                rows.put(lost.workerId, lost.before);
            }
        }
    }

    public List<WorkerRow> rows() {
        return new ArrayList<>(rows.values());
    }

    @Nullable
    public WorkerRow row(int workerId) {
        return rows.get(workerId);
    }

    /** Makes, changes or deletes a row. */
    public void set(int workerId, @Nullable WorkerRow row) {
        WorkerRow before = row == null ? rows.remove(workerId) : rows.put(workerId, row);
        commits.addLast(new Commit(workerId, before));
        if (commits.size() > REPLICATION_LAG) {
            commits.removeFirst();
        }
    }

    public void edit(int workerId, UnaryOperator<WorkerRow> change) {
        WorkerRow row = rows.get(workerId);
        if (row != null) {
            set(workerId, change.apply(row));
        }
    }
}
