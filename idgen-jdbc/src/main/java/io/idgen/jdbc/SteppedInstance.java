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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One of the databases of a {@link SteppedSequence}. Allocates its ids, and keeps track of whether it answers. */
final class SteppedInstance {
    private static final AsyncLog LOG = AsyncLog.of(SteppedInstance.class);

    private static final BackOff BACK_OFF = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private static final String INSTANCE = "instance";
    private static final String INSTANCES = "instances";

    private final RowTable rows;
    private final int instance;
    private final int instances;

    private final Environment environment;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>(); // null while it answers

    /** An outage, and until when idgen requests no ids from the database. */
    private record Pause(Outage outage, long untilNanos) {}

    /** Injected environment: the time, and threads that check whether a database answers. */
    record Environment(LongSupplier nanoTime, Executor threads) {
        static final Environment SYSTEM = new Environment(System::nanoTime, Connector.THREADS);
    }

    private SteppedInstance(RowTable rows, int instance, int instances, Environment environment) {
        this.environment = environment;
        this.rows = rows;
        this.instance = instance;
        this.instances = instances;
    }

    static SteppedInstance of(DataSource dataSource, int instance, int instances, Environment environment) {
        if (instances < 1 || instance < 1 || instance > instances) {
            throw new IllegalArgumentException(
                    "an instance is 1 to the number of instances, got " + instance + " of " + instances);
        }
        RowTable rows = RowTable.of(
                dataSource,
                CounterTable.STEPPED,
                List.of(CounterTable.STEPPED.source(), INSTANCE, INSTANCES),
                instances);
        return new SteppedInstance(rows, instance, instances, environment);
    }

    SteppedInstance with(TableAllocator.Options options) {
        return new SteppedInstance(rows.with(options), instance, instances, environment);
    }

    TableAllocator.Options options() {
        return rows.options();
    }

    /** Returns the next ids of this instance, at most {@code wanted}. {@code start} returns the start of a new name. */
    Segment next(String name, int wanted, LongSupplier start) {
        return rows.allocate(
                name, most -> take(name, Math.min(wanted, most)), row -> left(name, row), () -> make(name, start));
    }

    private Optional<Segment> take(String name, long count) {
        return rows.take(name, List.of(name, (long) instance, (long) instances), count)
                .map(segment -> checked(name, segment));
    }

    private void make(String name, LongSupplier start) {
        long first = start.getAsLong(); // before the transaction, because it asks other databases
        rows.make(name, now -> newRow(aligned(Math.max(first, now), name)));
    }

    /**
     * Returns the start of a new name according to this database.
     *
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the database does not answer
     */
    long start(String name) {
        try {
            return rows.start("looking on " + this + " for where ids of '" + name + "' begin", name);
        } catch (StoreUnavailableException e) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "a new name begins above the ids on all instances, and " + this + " does not answer: "
                            + e.getMessage(),
                    e);
        }
    }

    private long aligned(long start, String name) {
        long limit = options().limit;
        long ahead = Math.floorMod(instance - start, (long) instances);
        if (start > limit - 1 - ahead) {
            throw TableAllocator.limitReached(name, limit, this + " would begin at or above it");
        }
        return start + ahead;
    }

    private Map<String, Long> newRow(long first) {
        Map<String, Long> row = new LinkedHashMap<>();
        row.put(INSTANCE, (long) instance);
        row.put(INSTANCES, (long) instances);
        row.put(CounterTable.STEPPED.number(), first);
        return row;
    }

    /** Checks that a row belongs to this instance. Returns how many ids are left in it, at least 1. */
    private long left(String name, RowTable.Row row) {
        if (row.number(INSTANCE) != instance || row.number(INSTANCES) != instances) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the row of '" + name + "' in " + rows + " is instance " + row.number(INSTANCE) + " of "
                            + row.number(INSTANCES) + ", and this process takes its database for "
                            + this + "; correct the order and the number of the databases, which may not be one twice");
        }
        long last = rows.largestId();
        if (row.next() > last) {
            throw TableAllocator.limitReached(
                    name, options().limit, rows + ".next_id is " + row.next() + " on " + this);
        }
        return (last - row.next()) / instances + 1;
    }

    /**
     * Rejects a new name that another set of databases has on this instance. Its ids would repeat those of that set.
     * If this instance does not answer, it cannot be checked.
     */
    void refuseOtherSet(String name, SteppedInstance newOne) {
        if (!isUp(name)) {
            return;
        }
        try {
            Optional<Map<String, Long>> other =
                    rows.find(name, List.of(INSTANCE, INSTANCES), "instances <> " + instances);
            if (other.isPresent()) {
                throw new AllocationException(
                        ErrorCode.STEP_MISMATCH,
                        "'" + name + "' has no row in " + rows + " on " + newOne + ", but one on " + this
                                + " that is instance " + other.get().get(INSTANCE) + " of "
                                + other.get().get(INSTANCES)
                                + "; to add a database, stop all processes, delete the rows of this source, and set a start above"
                                + " every id ever issued");
            }
        } catch (StoreUnavailableException e) {
            failed(e);
        }
    }

    private Segment checked(String name, Segment segment) {
        long id = segment.first();
        if (Math.floorMod(id, instances) != instance % instances) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    "next_id of '" + name + "' in " + rows + " was " + id + ", which is not an id of " + this
                            + "; set it to the next number above the ids in use that leaves the remainder "
                            + instance % instances + " when divided by " + instances);
        }
        return segment;
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
            rows.read(name);
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
