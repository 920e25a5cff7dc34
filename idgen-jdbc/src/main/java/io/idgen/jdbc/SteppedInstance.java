package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.connection.Connector;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;

/** One of the databases of a {@link SteppedSequence}: the ids that are its own, and whether it answers. */
final class SteppedInstance {
    private static final System.Logger LOG = System.getLogger(SteppedInstance.class.getName());

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private static final List<String> COLUMNS = List.of("next_id", "id_limit", "generation", "instance", "instances");

    private final RowTable rows;
    private final Transactions transactions;
    private final int instance;
    private final int instances;

    // by name
    private final Map<String, Long> generations = new ConcurrentHashMap<>();

    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile int failures;
    private volatile long pausedUntilNanos;

    private SteppedInstance(RowTable rows, Transactions transactions, int instance, int instances) {
        this.rows = rows;
        this.transactions = transactions;
        this.instance = instance;
        this.instances = instances;
    }

    static SteppedInstance of(DataSource dataSource, int instance, int instances) {
        if (instances < 1 || instance < 1 || instance > instances) {
            throw new IllegalArgumentException(
                    "an instance is 1 to the number of instances, got " + instance + " of " + instances);
        }
        Transactions transactions =
                new Transactions(Objects.requireNonNull(dataSource), TableAllocator.DEFAULT_TIMEOUT);
        RowTable rows = RowTable.of(
                transactions,
                SteppedSequence.DEFAULT_TABLE,
                "next_id",
                List.of("seq_name", "generation", "instance", "instances"),
                "id_limit");
        return new SteppedInstance(rows, transactions, instance, instances);
    }

    SteppedInstance with(TableAllocator.Options options) {
        return new SteppedInstance(
                rows.with(options), transactions.withTimeout(options.timeout()), instance, instances);
    }

    /** The next id of this instance; {@code start} says where a new name begins. */
    Segment next(String name, TableAllocator.Options options, ToLongFunction<String> start) {
        // the id itself is below the limit, and what follows it is still a number
        long atMost = Math.min(options.limit() - 1, Long.MAX_VALUE - instances);
        for (int attempt = 0; attempt < TableAllocator.ATTEMPTS; attempt++) {
            Long generation = generations.get(name);
            if (generation != null) {
                OptionalLong end =
                        rows.add(name, List.of(name, generation, (long) instance, (long) instances), instances, atMost);
                if (end.isPresent()) {
                    return checked(name, end.getAsLong() - instances, options);
                }
            }
            Optional<List<Long>> row = rows.read(name, COLUMNS, " ORDER BY generation DESC");
            if (row.isEmpty()) {
                long first = start.applyAsLong(name);
                rows.make(name, options, now -> newRow(aligned(Math.max(first, now), name, options.limit())));
                continue;
            }
            generations.put(name, check(name, row.get(), options, atMost));
        }
        throw TableAllocator.changedTooOften(name, options.table());
    }

    /**
     * Where this database says that a new name begins.
     *
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if it does not say
     */
    long start(String name, TableAllocator.Options options) {
        try {
            return transactions.commit(
                    "looking on " + this + " for where ids of '" + name + "' begin",
                    (connection, dialect) -> options.start().read(connection, dialect, name, options.limit()));
        } catch (StoreUnavailableException e) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "a new name begins above the ids on all instances, and " + this + " does not answer: "
                            + e.getMessage(),
                    e);
        }
    }

    private long aligned(long start, String name, long limit) {
        long ahead = Math.floorMod(instance - start, (long) instances);
        if (start > limit - 1 - ahead) {
            throw TableAllocator.limitReached(name, limit, this + " would begin at or above it");
        }
        return start + ahead;
    }

    private Map<String, Long> newRow(long first) {
        Map<String, Long> row = new LinkedHashMap<>();
        row.put("instance", (long) instance);
        row.put("instances", (long) instances);
        row.put("generation", 1L);
        row.put("id_limit", Long.MAX_VALUE);
        row.put("next_id", first);
        return row;
    }

    /** The generation of a row that is ours and not at its end. */
    private long check(String name, List<Long> row, TableAllocator.Options options, long atMost) {
        long generation = row.get(2);
        if (row.get(3) != instance || row.get(4) != instances) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the row of '" + name + "' in " + options.table() + ", generation " + generation + ", is instance "
                            + row.get(3) + " of " + row.get(4) + ", and this process takes its database for "
                            + this + "; correct the order and the number of the databases, which may not be one twice");
        }
        long end = Math.min(row.get(1), options.limit());
        long next = row.get(0);
        if (next >= end || next > atMost) {
            throw TableAllocator.limitReached(name, end, options.table() + ".next_id is " + next + " on " + this);
        }
        return generation;
    }

    private Segment checked(String name, long id, TableAllocator.Options options) {
        if (Math.floorMod(id, instances) != instance % instances) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    "next_id of '" + name + "' in " + options.table() + " was " + id + ", which is not an id of " + this
                            + "; set it to the next number above the ids in use that leaves the remainder "
                            + instance % instances + " when divided by " + instances);
        }
        return new Segment(id, 1, instances);
    }

    /** Whether it is worth asking: not while it pauses. When the pause is over it is looked at in the background. */
    boolean isUp(long nowNanos, String name) {
        if (failures == 0) {
            return true;
        }
        if (nowNanos - pausedUntilNanos >= 0 && looking.compareAndSet(false, true)) {
            Connector.THREADS.execute(() -> look(name));
        }
        return false;
    }

    private void look(String name) {
        try {
            rows.read(name, COLUMNS, "");
            answered();
        } catch (StoreUnavailableException e) {
            failed(System.nanoTime(), e);
        } catch (AllocationException e) {
            answered(); // whatever is wrong with it, its callers shall hear of
        } finally {
            looking.set(false);
        }
    }

    void answered() {
        if (failures > 0) {
            failures = 0;
            LOG.log(System.Logger.Level.INFO, "{0} answers again", this);
        }
    }

    void failed(long nowNanos, AllocationException e) {
        int before = failures;
        long pause = FIRST_PAUSE.toNanos() << Math.min(before, 10);
        pause = Math.min(pause, LONGEST_PAUSE.toNanos());
        pausedUntilNanos = nowNanos + ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
        failures = before + 1;
        if (before == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is passed over until it answers again: {1}",
                    this,
                    e.getMessage());
        }
    }

    @Override
    public String toString() {
        return "instance " + instance + " of " + instances;
    }
}
