package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.connection.Connector;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.Transactions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One of the databases of a {@link SteppedSequence}. Allocates its ids, and keeps track of whether it answers. */
final class SteppedInstance {
    private static final AsyncLog LOG = AsyncLog.of(SteppedInstance.class);

    private static final BackOff BACK_OFF = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private static final List<String> COLUMNS =
            List.of(CounterTable.STEPPED.number(), "id_limit", "generation", "instance", "instances");

    private final RowTable rows;
    private final Transactions transactions;
    private final int instance;
    private final int instances;

    // by name
    private final Map<String, Long> generations = new ConcurrentHashMap<>();

    private final Environment environment;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>(); // null while it answers

    /** An outage, and until when idgen requests no ids from the database. */
    private record Pause(Outage outage, long untilNanos) {}

    /** Injected environment: the time, and threads that check whether a database answers. */
    record Environment(LongSupplier nanoTime, Executor threads) {
        static final Environment SYSTEM = new Environment(System::nanoTime, Connector.THREADS);
    }

    private SteppedInstance(
            RowTable rows, Transactions transactions, int instance, int instances, Environment environment) {
        this.environment = environment;
        this.rows = rows;
        this.transactions = transactions;
        this.instance = instance;
        this.instances = instances;
    }

    static SteppedInstance of(DataSource dataSource, int instance, int instances, Environment environment) {
        if (instances < 1 || instance < 1 || instance > instances) {
            throw new IllegalArgumentException(
                    "an instance is 1 to the number of instances, got " + instance + " of " + instances);
        }
        Transactions transactions =
                new Transactions(Objects.requireNonNull(dataSource), TableAllocator.DEFAULT_TIMEOUT);
        RowTable rows = RowTable.of(
                transactions,
                SteppedSequence.DEFAULT_TABLE,
                CounterTable.STEPPED.number(),
                List.of(CounterTable.STEPPED.source(), "generation", "instance", "instances"),
                CounterTable.STEPPED.limit(),
                instances);
        return new SteppedInstance(rows, transactions, instance, instances, environment);
    }

    SteppedInstance with(TableAllocator.Options options) {
        return new SteppedInstance(
                rows.with(options), transactions.withTimeout(options.timeout()), instance, instances, environment);
    }

    /** Returns the next ids of this instance, at most {@code wanted}. {@code start} returns the start of a new name. */
    Segment next(String name, int wanted, TableAllocator.Options options, ToLongFunction<String> start) {
        for (int attempt = 0; attempt < TableAllocator.ATTEMPTS; attempt++) {
            Optional<Segment> segment = take(name, wanted, options);
            if (segment.isPresent()) {
                return segment.get();
            }
            Optional<RowTable.Row> row = rows.read(name, COLUMNS, newestFirst());
            if (row.isEmpty()) {
                long first = start.applyAsLong(name);
                rows.make(name, now -> newRow(aligned(Math.max(first, now), name, options.limit())));
                continue;
            }
            long left = Math.min(
                    check(name, row.get().numbers(), options), row.get().left());
            if (left < wanted) {
                Optional<Segment> last = take(name, (int) left, options);
                if (last.isPresent()) {
                    return last.get();
                }
            }
        }
        throw TableAllocator.changedTooOften(name, options.table());
    }

    /**
     * The newest generation of this set of databases. While the set grows, a process with the old list uses the old
     * generation up to its limit. A row of another set comes last, for the message.
     */
    private String newestFirst() {
        return " ORDER BY CASE WHEN instances = " + instances + " THEN 0 ELSE 1 END, generation DESC";
    }

    /** Takes ids of the newest known generation. Returns empty if the row has changed, or has fewer ids left. */
    private Optional<Segment> take(String name, int count, TableAllocator.Options options) {
        Long generation = generations.get(name);
        if (generation == null) {
            return Optional.empty();
        }
        long amount = (long) count * instances;
        OptionalLong end = rows.add(
                name,
                List.of(name, generation, (long) instance, (long) instances),
                amount,
                atMost(options) - (amount - instances));
        return end.isPresent()
                ? Optional.of(checked(name, end.getAsLong() - amount, count, options))
                : Optional.empty();
    }

    /** Returns the largest id: it is below the limit, and its successor still fits a {@code long}. */
    private long atMost(TableAllocator.Options options) {
        return Math.min(options.limit() - 1, Long.MAX_VALUE - instances);
    }

    /**
     * Returns the start of a new name according to this database.
     *
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the database does not answer
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
        row.put(CounterTable.STEPPED.number(), first);
        return row;
    }

    /**
     * Checks that a row belongs to this instance, and stores its generation. Returns how many ids are left in it, at
     * least 1.
     */
    private long check(String name, List<Long> row, TableAllocator.Options options) {
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
        long last = Math.min(end - 1, atMost(options));
        if (next > last && row.get(1) < options.limit()) {
            throw ended(name, row, options);
        }
        if (next > last) {
            throw TableAllocator.limitReached(name, end, options.table() + ".next_id is " + next + " on " + this);
        }
        generations.put(name, generation);
        return (last - next) / instances + 1;
    }

    private AllocationException ended(String name, List<Long> row, TableAllocator.Options options) {
        String which = "generation " + row.get(2) + " on " + this + " in " + options.table();
        return new AllocationException(
                ErrorCode.LIMIT_REACHED,
                row.get(1) == CounterTable.NOT_OPEN
                        ? "the ids of '" + name + "', " + which
                                + ", begin when the set of databases has grown; run idgen" + " grow again until it ends"
                        : "all ids of '" + name + "' below " + row.get(1) + ", the id_limit of " + which
                                + ", are used (next_id is " + row.get(0) + "), because the set of databases grows; let"
                                + " idgen grow end, then start this process with the new list of databases");
    }

    /**
     * Rejects a new name that another set of databases has on this instance. Its ids would repeat those of that set.
     * If this instance does not answer, it cannot be checked.
     */
    void refuseOtherSet(String name, SteppedInstance newOne, TableAllocator.Options options) {
        if (!isUp(name)) {
            return;
        }
        try {
            Optional<List<Long>> other = rows.find(name, List.of("instance", "instances"), "instances <> " + instances);
            if (other.isPresent()) {
                throw new AllocationException(
                        ErrorCode.STEP_MISMATCH,
                        "'" + name + "' has no row in " + options.table() + " on " + newOne + ", but one on " + this
                                + " that is instance " + other.get().get(0) + " of "
                                + other.get().get(1)
                                + "; let idgen grow end before you start a process with the new list of databases");
            }
        } catch (StoreUnavailableException e) {
            failed(e);
        }
    }

    private Segment checked(String name, long id, int count, TableAllocator.Options options) {
        if (Math.floorMod(id, instances) != instance % instances) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    "next_id of '" + name + "' in " + options.table() + " was " + id + ", which is not an id of " + this
                            + "; set it to the next number above the ids in use that leaves the remainder "
                            + instance % instances + " when divided by " + instances);
        }
        return new Segment(id, count, instances);
    }

    /**
     * Returns whether to request ids from this database. During a back-off, returns false. After it, a background
     * thread checks whether the database answers.
     */
    boolean isUp(String name) {
        Pause now = pause.get();
        if (now == null) {
            return true;
        }
        if (environment.nanoTime.getAsLong() - now.untilNanos >= 0 && looking.compareAndSet(false, true)) {
            startLook(name);
        }
        return false;
    }

    private void startLook(String name) {
        try {
            environment.threads.execute(() -> look(name));
        } catch (Throwable e) { // the host may allow no new thread for a moment
            failed(e);
            looking.set(false);
        }
    }

    private void look(String name) {
        try {
            rows.read(name, COLUMNS, newestFirst());
            answered();
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            answered(); // a refusal: callers get it when they request ids
        } catch (Throwable e) {
            failed(e);
        } finally {
            looking.set(false);
        }
    }

    void answered() {
        if (pause.get() != null && pause.getAndSet(null) != null) {
            LOG.log(System.Logger.Level.INFO, "{0} answers again", this);
        }
    }

    void failed(Throwable e) {
        Pause now = pause.updateAndGet(before -> pauseAfter(before, e));
        if (now.outage.failures() == 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is passed over until it answers again: {1}",
                    this,
                    FailureText.of(e));
        }
    }

    private Pause pauseAfter(@Nullable Pause before, Throwable e) {
        long nowNanos = environment.nanoTime.getAsLong();
        Outage outage = Outage.after(before == null ? null : before.outage, e, nowNanos);
        Duration length = BACK_OFF.pause(outage.failures(), ThreadLocalRandom.current());
        return new Pause(outage, nowNanos + length.toNanos());
    }

    @Override
    public String toString() {
        return "instance " + instance + " of " + instances;
    }
}
