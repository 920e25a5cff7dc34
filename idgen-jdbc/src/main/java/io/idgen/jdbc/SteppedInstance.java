package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.FailureText;
import io.idgen.jdbc.internal.connection.Connector;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** One of the databases of a {@link SteppedSequence}. Allocates its ids, and keeps track of whether it answers. */
final class SteppedInstance {
    private static final AsyncLog LOG = AsyncLog.of(SteppedInstance.class);

    /** How long idgen requests no ids from a database that has not answered, before it looks again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final long UP = 0;

    final Counters counters;
    private final String name;

    private final Environment environment;
    private final AtomicLong lookAtNanos = new AtomicLong(UP);

    /** Injected environment: the time, and threads that check whether a database answers. */
    record Environment(LongSupplier nanoTime, Executor threads) {
        static final Environment SYSTEM = new Environment(System::nanoTime, Connector.THREADS);
    }

    SteppedInstance(Counters counters, String name, Environment environment) {
        this.counters = counters;
        this.name = name;
        this.environment = environment;
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
     * Returns whether to request ids from this database. During a pause, returns false. After it, a background thread
     * checks whether the database answers, and the next pause begins.
     */
    boolean isUp(String source) {
        long at = lookAtNanos.get();
        if (at == UP) {
            return true;
        }
        if (environment.nanoTime.getAsLong() - at >= 0 && lookAtNanos.compareAndSet(at, afterAPause())) {
            try {
                environment.threads.execute(() -> look(source));
            } catch (Throwable e) { // the host may allow no new thread for a moment
                failed(e);
            }
        }
        return false;
    }

    private void look(String source) {
        try {
            counters.table().read(source);
            answered();
        } catch (Throwable e) {
            if (e instanceof IdGenerationException && !(e instanceof StoreUnavailableException)) {
                answered(); // a refusal: callers get it when they request ids
            } else {
                failed(e);
            }
        }
    }

    void answered() {
        if (lookAtNanos.get() != UP && lookAtNanos.getAndSet(UP) != UP) {
            LOG.log(System.Logger.Level.INFO, "{0} answers again", this);
        }
    }

    void failed(Throwable e) {
        if (lookAtNanos.getAndSet(afterAPause()) == UP) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is passed over until it answers again: {1}",
                    this,
                    FailureText.of(e));
        }
    }

    private long afterAPause() {
        return (environment.nanoTime.getAsLong() + PAUSE.toNanos()) | 1; // never UP
    }

    @Override
    public String toString() {
        return name;
    }
}
