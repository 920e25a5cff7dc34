package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.FailureText;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.connection.Connector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Step increments over N independent databases: instance i of N generates ids with {@code id % N == i % N}. So no
 * two instances generate equal ids, and no instance needs to know of the others. This is what MySQL's
 * {@code auto_increment_offset} and {@code auto_increment_increment} do for a column, for any database.
 *
 * <p>A process uses the instances in turn. It skips an instance that is down until it answers again, and continues as
 * long as one of them is up. Ids then increase within an instance, but not across instances. A process that uses one
 * instance alone needs no more than {@link Counters#instance}.
 *
 * <p>Each row stores its instance and the number of instances. A row that differs from the configuration is rejected,
 * and so are two databases with the same instance. To add a database, stop all processes, delete the rows, and set a
 * start above every id ever issued. Two errors cannot be detected here: processes whose lists have no database in
 * common, and a list whose order has changed since its databases were empty.
 */
public final class SteppedSequence implements SegmentAllocator {
    private static final AsyncLog LOG = AsyncLog.of(SteppedSequence.class);

    /** How long idgen requests no ids from a database that has not answered, before it looks again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final long UP = 0;

    private final List<Instance> instances;
    private final AtomicInteger turn = new AtomicInteger();

    /** Injected environment: the time, and threads that check whether a database answers. */
    record Environment(LongSupplier nanoTime, Executor threads) {
        static final Environment SYSTEM = new Environment(System::nanoTime, Connector.THREADS);
    }

    /**
     * Creates an allocator on all instances. Opens no connection.
     *
     * @param databases the counters of each instance, beginning with instance 1, always in the same order, with the
     *     same options
     * @throws IllegalArgumentException if the list is empty
     */
    public SteppedSequence(List<Counters> databases) {
        this(databases, Environment.SYSTEM);
    }

    SteppedSequence(List<Counters> databases, Environment environment) {
        if (databases.isEmpty()) {
            throw new IllegalArgumentException("databases must contain at least one, got none");
        }
        int count = databases.size();
        this.instances = IntStream.rangeClosed(1, count)
                .mapToObj(i -> new Instance(
                        databases.get(i - 1).instance(i, count), "instance " + i + " of " + count, environment))
                .toList();
    }

    /**
     * {@inheritDoc} Returns ids of the instance whose turn it is. A name is new on an instance until its row exists. If
     * its start is read from columns, all instances must answer then.
     */
    @Override
    public Segment allocate(String name, int wanted) {
        Counters.checkWanted(wanted);
        List<StoreUnavailableException> outages = new ArrayList<>();
        int first = Math.floorMod(turn.getAndIncrement(), instances.size());
        for (int i = 0; i <= instances.size(); i++) {
            Instance instance = instances.get((first + i) % instances.size());
            // If all are down, retry one before its back-off ends, because it may be up again. This is the last resort,
            // so no caller waits for it while another instance could serve.
            if (i < instances.size() ? instance.isUp(name) : outages.isEmpty()) {
                try {
                    return next(instance, name, wanted);
                } catch (StoreUnavailableException e) {
                    instance.failed(e);
                    outages.add(e);
                }
            }
        }
        boolean unreachable = outages.stream().allMatch(StoreUnreachableException.class::isInstance);
        StoreUnavailableException last = outages.remove(outages.size() - 1);
        String message = "none of the " + instances.size() + " instances can allocate ids of '" + name
                + "'; the last error: " + last.getMessage();
        StoreUnavailableException none = unreachable
                ? new StoreUnreachableException(message, last)
                : new StoreUnavailableException(message, last);
        outages.forEach(none::addSuppressed);
        throw none;
    }

    private Segment next(Instance instance, String name, int wanted) {
        Segment segment = instance.counters.allocate(name, wanted, () -> startOfNew(name, instance));
        instance.answered();
        return segment;
    }

    /** The start of a new name: above the columns of all instances, because their rows may come from any instance. */
    private long startOfNew(String name, Instance instance) {
        instances.stream().filter(each -> each != instance).forEach(each -> each.refuseOtherSet(name, instance));
        return instances.get(0).counters.options.adopted.isEmpty()
                ? 1 // each row uses the configured start
                : instances.stream().mapToLong(each -> each.start(name)).max().orElseThrow();
    }

    /** {@inheritDoc} True: almost no gaps. A crash loses at most the ids of the statement that is under way. */
    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public long limit() {
        return instances.get(0).counters.limit();
    }

    /** {@inheritDoc} False: ids increase only within an instance, which checks that itself. */
    @Override
    public boolean isRising() {
        return false;
    }

    /** One of the databases. Allocates its ids, and keeps track of whether it answers. */
    private static final class Instance {
        final Counters counters;
        private final String name;

        private final Environment environment;
        private final AtomicLong lookAtNanos = new AtomicLong(UP);

        Instance(Counters counters, String name, Environment environment) {
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
                return counters.table.statements.start(source);
            } catch (StoreUnavailableException e) {
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        "a new name begins above the ids on all instances, and " + this + " does not answer: "
                                + e.getMessage(),
                        e);
            }
        }

        /**
         * Rejects a new source whose row on this instance is that of another set of databases. Its ids would repeat
         * those of that set. If this instance does not answer, it cannot be checked.
         */
        void refuseOtherSet(String source, Instance newOne) {
            if (!isUp(source)) {
                return;
            }
            try {
                counters.table.refuseOtherSet(source, newOne + ", but one on " + this);
            } catch (StoreUnavailableException e) {
                failed(e);
            }
        }

        /**
         * Returns whether to request ids from this database. During a pause, returns false. After it, a background
         * thread checks whether the database answers, and the next pause begins.
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
                counters.table.read(source);
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
}
