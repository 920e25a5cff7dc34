package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.BackOff;
import io.idgen.core.internal.time.FailureText;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.connection.Connector;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One of the databases of a {@link SteppedSequence}. Allocates its ids, and keeps track of whether it answers. */
final class SteppedInstance {
    private static final AsyncLog LOG = AsyncLog.of(SteppedInstance.class);

    private static final BackOff BACK_OFF = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final Counters counters;
    private final String name;

    private final Environment environment;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>(); // null while it answers

    /** How many attempts in a row have failed, and until when idgen requests no ids from the database. */
    private record Pause(int failures, long untilNanos) {}

    /** Injected environment: the time, and threads that check whether a database answers. */
    record Environment(LongSupplier nanoTime, Executor threads) {
        static final Environment SYSTEM = new Environment(System::nanoTime, Connector.THREADS);
    }

    SteppedInstance(Counters counters, String name, Environment environment) {
        this.counters = counters;
        this.name = name;
        this.environment = environment;
    }

    long limit() {
        return counters.limit();
    }

    boolean startsAboveColumns() {
        return counters.startsAboveColumns();
    }

    /** Returns at most {@code wanted} ids of this instance. {@code start} returns the start of a new source. */
    Segment next(String source, int wanted, LongSupplier start) {
        return counters.allocate(source, wanted, start);
    }

    /**
     * Returns the start of a new source according to this database.
     *
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the database does not answer
     */
    long start(String source) {
        try {
            return counters.start(source);
        } catch (StoreUnavailableException e) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    "a new name begins above the ids on all instances, and " + this + " does not answer: "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Rejects a new source whose row on this instance is that of another set of databases. Its ids would repeat those
     * of that set. If this instance does not answer, it cannot be checked.
     */
    void refuseOtherSet(String source, SteppedInstance newOne) {
        if (!isUp(source)) {
            return;
        }
        try {
            counters.table().refuseOtherSet(source, newOne + ", but one on " + this);
        } catch (StoreUnavailableException e) {
            failed(e);
        }
    }

    /**
     * Returns whether to request ids from this database. During a back-off, returns false. After it, a background
     * thread checks whether the database answers.
     */
    boolean isUp(String source) {
        Pause now = pause.get();
        if (now == null) {
            return true;
        }
        if (environment.nanoTime.getAsLong() - now.untilNanos >= 0 && looking.compareAndSet(false, true)) {
            startLook(source);
        }
        return false;
    }

    private void startLook(String source) {
        try {
            environment.threads.execute(() -> look(source));
        } catch (Throwable e) { // the host may allow no new thread for a moment
            failed(e);
            looking.set(false);
        }
    }

    private void look(String source) {
        try {
            counters.table().read(source);
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
        Pause now = pause.updateAndGet(this::pauseAfter);
        if (now.failures == 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is passed over until it answers again: {1}",
                    this,
                    FailureText.of(e));
        }
    }

    private Pause pauseAfter(@Nullable Pause before) {
        int failures = before == null ? 1 : before.failures + 1;
        Duration length = BACK_OFF.pause(failures, ThreadLocalRandom.current());
        return new Pause(failures, environment.nanoTime.getAsLong() + length.toNanos());
    }

    @Override
    public String toString() {
        return name;
    }
}
