package io.idgen.core;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ids from the segments of a {@link SegmentAllocator}, with one full segment in reserve: when the reserve is taken into use,
 * the next one is fetched in the background, so that callers meet the database only when they outrun it.
 *
 * <p>The allocator is called on a thread of its own, never on a caller's; one call is in flight at a time, and a failing one is
 * repeated with growing pauses for as long as the source is open. Callers that find nothing wait for it, each until its own
 * deadline and in bounded number, and then get a typed exception. Ids rise, and are unique among all processes that use the
 * allocator's table. Closing, a crash, and a restart leave gaps of at most the ids in hand.
 *
 * <p>A segment is immutable but for its cursor, used once, and accepted only if it lies above all before it: a table that
 * went back in time would repeat ids, so the source then refuses for good ({@link ErrorCode#SEGMENT_WENT_BACK}).
 */
public final class SegmentIdSource implements IdSource {
    private static final System.Logger LOG = System.getLogger(SegmentIdSource.class.getName());

    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    private final SegmentAllocator allocator;
    private final String name;
    private final int step;
    private final Duration acquireTimeout;
    private final int maxWaiters;
    private final ScheduledExecutorService refills;
    private final boolean ownsRefills;

    // A lock, not synchronized: before JDK 24 (JEP 491) a virtual thread that waits inside a monitor pins its carrier.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private volatile @Nullable Cursor current;

    // All below is guarded by the lock.
    private @Nullable Segment spare;
    private long highest;
    private int demand;
    private boolean refilling;
    private int waiters;
    private int failures;
    private long failingSinceNanos;
    private @Nullable Throwable lastFailure;
    private @Nullable Future<?> retry;
    private int refusals;
    private @Nullable IdGenerationException refusal;
    private @Nullable IdGenerationException end;

    /**
     * A source with the default step and limits, and a thread of its own that lives only while there is something to fetch.
     *
     * @param allocator where segments come from
     * @param name what the ids are for
     */
    public SegmentIdSource(SegmentAllocator allocator, String name) {
        this(builder(allocator, name));
    }

    private SegmentIdSource(Builder builder) {
        this.allocator = builder.allocator;
        this.name = builder.name;
        this.step = builder.step;
        this.demand = builder.step;
        this.acquireTimeout = builder.acquireTimeout;
        this.maxWaiters = builder.maxWaiters;
        this.ownsRefills = builder.refills == null;
        this.refills = builder.refills == null ? refillThreads("idgen-refill-" + name, 1) : builder.refills;
    }

    /**
     * Starts the description of a source.
     *
     * @param allocator where segments come from
     * @param name what the ids are for
     * @return a builder
     */
    public static Builder builder(SegmentAllocator allocator, String name) {
        return new Builder(allocator, name);
    }

    /**
     * Threads for refills: daemons that start when there is something to fetch and end when they are idle.
     *
     * @param threadName how thread dumps show them
     * @param most how many at once, at least 1; each uses one connection while it fetches
     * @return an executor, to be shut down by its owner
     */
    public static ScheduledExecutorService refillThreads(String threadName, int most) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(most, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            // not the first caller's loader, which this thread would keep from the garbage collector
            thread.setContextClassLoader(SegmentIdSource.class.getClassLoader());
            return thread;
        });
        threads.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
        return threads;
    }

    /**
     * {@inheritDoc} Waits only while there is neither a segment in use nor one in reserve, at most for the acquire timeout.
     *
     * @throws IdUnavailableException if there is no id in time, too many threads wait already, or the thread is interrupted
     *     while it waits
     * @throws AllocationException if the allocator refuses: no row, no start, the limit reached
     * @throws IdGenerationException if the source is closed, or the table went back in time
     */
    @Override
    public long nextId() {
        Cursor cursor = current;
        long index = cursor == null ? Cursor.USED_UP : cursor.take(1);
        if (cursor == null || index == Cursor.USED_UP) {
            long deadlineNanos = deadlineNanos();
            do {
                cursor = advance(cursor, 1, deadlineNanos);
                index = cursor.take(1);
            } while (index == Cursor.USED_UP);
        }
        return cursor.segment.id(index);
    }

    @Override
    public long[] nextIds(int count) {
        IdSource.checkBatch(count);
        long deadlineNanos = deadlineNanos();
        long[] ids = new long[count];
        int filled = 0;
        Cursor cursor = current;
        while (filled < count) {
            int missing = count - filled;
            long index = cursor == null ? Cursor.USED_UP : cursor.take(missing);
            if (cursor == null || index == Cursor.USED_UP) {
                cursor = advance(cursor, missing, deadlineNanos);
                continue;
            }
            for (long end = Math.min(index + missing, cursor.segment.count()); index < end; index++) {
                ids[filled++] = cursor.segment.id(index);
            }
        }
        return ids;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (end == null) {
                end = closedException();
            }
            Cursor cursor = current;
            if (cursor != null) {
                cursor.seal();
            }
            spare = null;
            if (retry != null) {
                retry.cancel(false);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (ownsRefills) {
            refills.shutdown(); // no interrupt: an interrupted read closes an H2 database for everybody
            // (h2database#227)
        }
    }

    private long deadlineNanos() {
        return System.nanoTime() + acquireTimeout.toNanos();
    }

    /** The cursor after {@code used}: the spare if there is one, else what the next refill brings, awaited until the deadline. */
    private Cursor advance(@Nullable Cursor used, int wanted, long deadlineNanos) {
        lock.lock();
        try {
            int refusalsBefore = refusals;
            while (true) {
                if (end != null) {
                    throw end;
                }
                Cursor cursor = current;
                if (cursor != null && cursor != used) {
                    return cursor;
                }
                if (spare != null) {
                    Cursor next = new Cursor(spare);
                    spare = null;
                    current = next;
                    refill();
                    return next;
                }
                if (refusals != refusalsBefore && refusal != null) {
                    throw refusal;
                }
                demand = Math.max(demand, wanted);
                refill();
                if (end == null) {
                    await(deadlineNanos);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    private void await(long deadlineNanos) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw outOfTime();
        }
        if (waiters >= maxWaiters) {
            throw new IdUnavailableException(
                    ErrorCode.TOO_MANY_WAITERS,
                    name,
                    outage(),
                    "already " + waiters + " threads wait for ids of '" + name + "', limit " + maxWaiters
                            + "; raise idgen.segment.step or idgen.segment.max-waiters, or shed load",
                    lastFailure);
        }
        waiters++;
        try {
            changed.awaitNanos(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    ErrorCode.INTERRUPTED, name, outage(), "interrupted while waiting for ids of '" + name + "'", e);
        } finally {
            waiters--;
        }
    }

    private Duration outage() {
        return failures == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - failingSinceNanos);
    }

    private IdUnavailableException outOfTime() {
        Throwable failure = lastFailure;
        String why = failure == null
                ? "the database has not answered yet"
                : "the database has been failing for " + Durations.text(Duration.ofMillis(outage().toMillis()))
                        + ", last: " + text(failure);
        return new IdUnavailableException(
                ErrorCode.IDS_UNAVAILABLE,
                name,
                outage(),
                "no id for '" + name + "' within " + Durations.text(acquireTimeout) + "; " + why,
                failure);
    }

    private static String text(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private IdGenerationException closedException() {
        return new IdGenerationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
    }

    /** Fetches the next segment unless that is under way. Called under the lock. */
    private void refill() {
        if (refilling) {
            return;
        }
        try {
            refills.execute(this::allocate);
            refilling = true;
        } catch (RejectedExecutionException e) {
            end = closedException(); // the owner of the threads has ended them
        }
    }

    /** One attempt, on a refill thread; the lock is not held over the allocator's I/O. */
    private void allocate() {
        int wanted;
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            wanted = demand;
            demand = step;
        } finally {
            lock.unlock();
        }
        try {
            arrived(Objects.requireNonNull(allocator.allocate(name, wanted), "the allocator gave no segment"));
        } catch (ConfigurationException e) {
            refused(e);
        } catch (AllocationException e) {
            if (e.code() == ErrorCode.DATABASE_FAILED) {
                failed(e);
            } else {
                refused(e);
            }
        } catch (RuntimeException | Error e) {
            failed(e); // a driver's own surprises are an outage as well: nothing may end the refills unseen
        }
    }

    private void arrived(Segment segment) {
        lock.lock();
        try {
            refilling = false;
            if (segment.first() <= highest) {
                end = new IdGenerationException(
                        ErrorCode.SEGMENT_WENT_BACK,
                        "the allocator gave '" + name + "' ids from " + segment.first() + " after it had given up to "
                                + highest
                                + "; the table was restored, truncated or edited: stop all writers, raise the row"
                                + " above the largest id in use, and start again");
                LOG.log(System.Logger.Level.ERROR, end.getMessage());
                Cursor cursor = current;
                if (cursor != null) {
                    cursor.seal();
                }
            } else {
                if (failures > 0) {
                    LOG.log(
                            System.Logger.Level.INFO,
                            "ids of ''{0}'' are being refilled again, after {1} failed attempts",
                            name,
                            failures);
                }
                highest = segment.last();
                spare = segment;
                failures = 0;
                lastFailure = null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The allocator works and says no; those who wait are told at once, and the next caller may ask again. */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            refilling = false;
            failures = 0;
            lastFailure = null;
            refusals++;
            refusal = e;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The database is away; waiting callers keep their deadlines, and the attempt is repeated after a pause. */
    private void failed(Throwable e) {
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            if (failures == 0) {
                failingSinceNanos = System.nanoTime();
                LOG.log(
                        System.Logger.Level.WARNING,
                        "refilling ids of ''{0}'' failed, trying again: {1}",
                        name,
                        text(e));
            }
            lastFailure = e;
            long pause = FIRST_BACK_OFF.toMillis() << Math.min(failures, 10);
            pause = Math.min(pause, LONGEST_BACK_OFF.toMillis());
            failures++;
            // the jitter keeps the processes that one outage hit from coming back in step
            retry = refills.schedule(
                    this::allocate, ThreadLocalRandom.current().nextLong(pause / 2, pause + 1), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            refilling = false;
            end = closedException();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A segment in use, and how much of it is taken. */
    private static final class Cursor {
        static final long USED_UP = -1;

        // above any count, and far enough from overflow for every thread to add a batch once more
        private static final long SEAL = Long.MAX_VALUE / 2;

        private final Segment segment;
        private final AtomicLong taken = new AtomicLong();

        Cursor(Segment segment) {
            this.segment = segment;
        }

        /** The index of the first of up to {@code wanted} ids that are now the caller's, or {@link #USED_UP}. */
        long take(int wanted) {
            if (taken.get() >= segment.count()) {
                return USED_UP; // a burst that overshoots must not add for ever
            }
            long index = taken.getAndAdd(wanted);
            return index < segment.count() ? index : USED_UP;
        }

        void seal() {
            taken.set(SEAL);
        }
    }

    /** What a {@link SegmentIdSource} is made of. Not for several threads. */
    public static final class Builder {
        private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

        private final SegmentAllocator allocator;
        private final String name;
        private int step = 1000;
        private Duration acquireTimeout = Duration.ofSeconds(3);
        private int maxWaiters = 10_000;
        private @Nullable ScheduledExecutorService refills;

        private Builder(SegmentAllocator allocator, String name) {
            this.allocator = Objects.requireNonNull(allocator);
            this.name = checkName(name);
        }

        /**
         * How many ids a refill asks for; 1,000 if not said. A crash loses up to two steps.
         *
         * @param ids 1 to 1,000,000,000
         * @return this
         */
        public Builder step(int ids) {
            if (ids < 1 || ids > 1_000_000_000) {
                throw new IllegalArgumentException("a step is 1 to 1000000000 ids, got " + ids);
            }
            this.step = ids;
            return this;
        }

        /**
         * How long a call may wait for a refill; 3 s if not said.
         *
         * @param timeout above zero, at most a day
         * @return this
         */
        public Builder acquireTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("an acquire timeout is above zero, got " + Durations.text(timeout));
            }
            if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("an acquire timeout is at most " + Durations.text(LONGEST_TIMEOUT)
                        + ", got " + Durations.text(timeout));
            }
            this.acquireTimeout = timeout;
            return this;
        }

        /**
         * How many threads may wait at once; 10,000 if not said.
         *
         * @param threads at least 1
         * @return this
         */
        public Builder maxWaiters(int threads) {
            if (threads < 1) {
                throw new IllegalArgumentException("max waiters is at least 1, got " + threads);
            }
            this.maxWaiters = threads;
            return this;
        }

        /**
         * Where refills run, for sources that share their threads; a thread of the source's own if not said.
         *
         * @param threads for example {@link #refillThreads}; not shut down by the source
         * @return this
         */
        public Builder refills(ScheduledExecutorService threads) {
            this.refills = Objects.requireNonNull(threads);
            return this;
        }

        /**
         * Makes the source. Nothing is fetched before the first id is asked for.
         *
         * @return a source, to be closed when it is no longer used
         */
        public SegmentIdSource build() {
            return new SegmentIdSource(this);
        }

        private static String checkName(String name) {
            if (name.isBlank() || name.length() > SegmentAllocator.MAX_NAME_LENGTH) {
                throw new IllegalArgumentException("a name is 1 to " + SegmentAllocator.MAX_NAME_LENGTH
                        + " characters and not blank, got " + name.length() + " characters");
            }
            return name;
        }
    }
}
