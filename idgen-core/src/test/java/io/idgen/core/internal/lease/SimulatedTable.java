package io.idgen.core.internal.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table on the primary, by key, and the last commits. A replica has the rows as they were some commits
 * ago.
 */
public final class SimulatedTable<K extends Comparable<K>, R> {
    private static final int MOST_COMMITS = 10_000;

    private record Commit<K, R>(long nanos, K key, @Nullable R before) {}

    private final LongSupplier nanoTime;
    private final LongSupplier readLagNanos;
    private final TreeMap<K, R> rows = new TreeMap<>();
    private final Deque<Commit<K, R>> commits = new ArrayDeque<>();

    SimulatedTable(LongSupplier nanoTime, LongSupplier readLagNanos) {
        this.nanoTime = nanoTime;
        this.readLagNanos = readLagNanos;
    }

    @Nullable
    public R get(K key) {
        return rows.get(key);
    }

    public List<R> all() {
        return new ArrayList<>(rows.values());
    }

    /** Creates, changes or, with null, deletes a row. */
    public void set(K key, @Nullable R row) {
        R before = row == null ? rows.remove(key) : rows.put(key, row);
        commits.addLast(new Commit<>(nanoTime.getAsLong(), key, before));
        if (commits.size() > MOST_COMMITS) {
            commits.removeFirst();
        }
    }

    /** Returns the rows that a SELECT without a lock reads. A lagging replica may answer it. */
    public Map<K, R> read() {
        return before(readLagNanos.getAsLong());
    }

    /** Returns the rows without the commits of the last {@code lagNanos}. */
    public Map<K, R> before(long lagNanos) {
        TreeMap<K, R> old = new TreeMap<>(rows);
        commits.descendingIterator().forEachRemaining(commit -> {
            if (isWithin(commit, lagNanos)) {
                undo(commit, old);
            }
        });
        return old;
    }

    private boolean isWithin(Commit<K, R> commit, long lagNanos) {
        return lagNanos > 0 && commit.nanos > nanoTime.getAsLong() - lagNanos;
    }

    private static <K, R> void undo(Commit<K, R> commit, Map<K, R> rows) {
        if (commit.before == null) {
            rows.remove(commit.key);
        } else {
            rows.put(commit.key, commit.before);
        }
    }

    void loseLast(int lostCommits) {
        for (int i = 0; i < lostCommits && !commits.isEmpty(); i++) {
            undo(commits.removeLast(), rows);
        }
    }

    void loseWithin(long lagNanos) {
        while (!commits.isEmpty() && isWithin(commits.getLast(), lagNanos)) {
            undo(commits.removeLast(), rows);
        }
    }

    /** Sets all rows to those of a backup. */
    void restore(Map<K, R> backup) {
        TreeSet<K> keys = new TreeSet<>(rows.keySet());
        keys.addAll(backup.keySet());
        keys.forEach(key -> set(key, backup.get(key)));
    }

    /** Lets all replicas receive all commits. */
    public void replicated() {
        commits.clear();
    }
}
