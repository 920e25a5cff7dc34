package io.idgen.core.segment;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.block.PaddedLong;
import io.idgen.core.internal.block.Progression;
import io.idgen.core.internal.block.ThreadBlocks;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.BackOff;
import io.idgen.core.internal.task.BackgroundThreads;
import io.idgen.core.internal.task.CloseWait;
import io.idgen.core.internal.task.EventDelivery;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.text.Defaults;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ids from the segments of a {@link SegmentAllocator}, with one full segment in reserve: when the reserve is taken into use,
 * the next one is fetched in the background, so that callers meet the database only when they outrun it. The segments grow
 * and shrink with the demand, so that the reserve outlasts a database that is away for {@link Builder#reserve}.
 *
 * <p>The allocator is called on a thread of its own, never on a caller's; one call is in flight at a time, and a failing one is
 * repeated with growing pauses for as long as the source is open. Callers that find nothing wait for it, each until its own
 * deadline and in bounded number, and then get a typed exception. Ids are unique among all processes that use the allocator's
 * table, and rise where the allocator's runs do. A crash leaves a gap of at most the ids in hand; closing hands them back
 * where the allocator can take them.
 *
 * <p>A segment is immutable but for its cursor, used once, and accepted only if it lies above all before it: a table that
 * went back in time would repeat ids, so the source then refuses for good ({@link ErrorCode#SEGMENT_WENT_BACK}).
 *
 * <p>Ids rise in the order of calls, whichever thread makes them; with {@link Builder#threadOrder} that is given up for speed.
 *
 * <p>Over an allocator whose runs are {@linkplain SegmentAllocator#isFixed fixed} nothing is fetched ahead: each call waits
 * for the database, as that strategy has it.
 */
public final class SegmentIdSource implements IdSource {
    private static final AsyncLog LOG = AsyncLog.of(SegmentIdSource.class);

    private static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));
    private static final int LARGEST_BLOCK = 256;

    private final SegmentAllocator allocator;
    private final String name;
    private final boolean fixed;
    private final double preload;
    private final Duration acquireTimeout;
    private final int maxWaiters;
    private final ScheduledExecutorService refills;
    private final boolean ownsRefills;
    private final IdgenListener events;
    private final Function<Knob, String> advice;
    private final TimeSource time;

    // A lock, not synchronized: before JDK 24 (JEP 491) a virtual thread that waits inside a monitor pins its carrier.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed;

    private final @Nullable ThreadBlocks blocks;
    private volatile @Nullable Cursor current;

    // All below is guarded by the lock.
    private final AdaptiveStep step;
    private final FillLevel fillLevel;
    private final int longestRun;
    private @Nullable Segment spare;
    private long highest;
    private boolean refilling;
    private int waiters;
    private long missing;
    private int failures;
    private long failingSinceNanos;
    private @Nullable Throwable lastFailure;
    private @Nullable Future<?> retry;
    private int refusals;
    private @Nullable Refusal refusal;
    private @Nullable IdGenerationException end;
    private @Nullable List<Segment> unused;
    private final CompletableFuture<Void> handedBack = new CompletableFuture<>();

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
        this.fixed = allocator.isFixed();
        this.preload = builder.preload;
        this.step = builder.adaptiveStep();
        this.longestRun = builder.maxStep();
        this.fillLevel = new FillLevel(name, allocator.limit());
        this.acquireTimeout = builder.acquireTimeout;
        this.maxWaiters = builder.maxWaiters;
        this.events = builder.events();
        this.advice = builder.advice;
        this.time = builder.time;
        this.changed = time.condition(lock);
        this.blocks = builder.threadOrder && !fixed ? new ThreadBlocks() : null;
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
        return BackgroundThreads.named(threadName, most);
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
        if (blocks != null) {
            long own = nextOfBlock(blocks);
            if (own != ThreadBlocks.Block.EMPTY) {
                return own;
            }
        }
        Cursor cursor = current;
        long index = cursor == null ? Cursor.USED_UP : cursor.take(1);
        if (cursor == null || index == Cursor.USED_UP) {
            long[] ids = new long[1];
            await(ids, 0);
            return ids[0];
        }
        if (index == cursor.preloadAt) {
            preload(cursor);
        }
        return cursor.segment.id(index);
    }

    /** The next id of the calling thread's block; EMPTY if it has none, or no more is to be had without waiting. */
    private long nextOfBlock(ThreadBlocks all) {
        ThreadBlocks.Block block = all.mine();
        if (block == null) {
            return ThreadBlocks.Block.EMPTY;
        }
        long own = block.take();
        Cursor cursor = current;
        return own == ThreadBlocks.Block.EMPTY && cursor != null && fill(block, cursor) ? block.take() : own;
    }

    private void dropBlocks() {
        if (blocks != null) {
            blocks.close();
        }
    }

    /** Takes the next run of a segment into a thread's block; false if the segment is used up. */
    private boolean fill(ThreadBlocks.Block block, Cursor cursor) {
        Segment segment = cursor.segment;
        // all blocks together hold little of a small segment, too
        int wanted = Math.max(1, Math.min(LARGEST_BLOCK, segment.count() / ThreadBlocks.SLOTS));
        long index = cursor.take(wanted);
        if (index == Cursor.USED_UP) {
            return false;
        }
        int got = (int) Math.min(wanted, segment.count() - index);
        block.fill(segment.id(index), got, segment.stride());
        if (cursor.isMarkIn(index, got)) {
            preload(cursor);
        }
        return true;
    }

    @Override
    public long[] nextIds(int count) {
        IdSource.checkBatch(count);
        long[] ids = new long[count];
        Cursor cursor = current;
        int filled = 0;
        if (cursor != null) {
            long index = cursor.take(count);
            filled = cursor.copy(index, ids, 0);
            if (cursor.isMarkIn(index, filled)) {
                preload(cursor);
            }
        }
        if (filled < count) {
            await(ids, filled);
        }
        return ids;
    }

    /**
     * {@inheritDoc} Fetches a segment to use and one in reserve; where runs are fixed, the first one. Waits at most for the
     * acquire timeout.
     *
     * @throws IdUnavailableException if they are not to be had in time, or the thread is interrupted while it waits
     * @throws AllocationException if the allocator refuses: no row, no start, the limit reached
     * @throws IdGenerationException if the source is closed
     */
    @Override
    public void warmUp() {
        long deadlineNanos = deadlineNanos();
        lock.lock();
        try {
            try (Waiter waiter = new Waiter(1)) {
                while (spare == null || (current == null && !fixed)) {
                    if (spare == null) {
                        waiter.await(deadlineNanos);
                    } else {
                        takeSpare(spare, waiter);
                        changed.signal(); // as below
                    }
                }
            }
            changed.signal(); // in place of this one, which takes nothing
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@inheritDoc} Ids that are left are handed back where the allocator can take them, so that the next process goes on with
     * them; waits for that at most a second.
     */
    @Override
    public void close() {
        CloseWait.SYSTEM.await(closeAsync(), CloseWait.LONGEST);
    }

    /**
     * Closes without waiting, for an owner that closes several sources by one deadline.
     *
     * @return completes when unused ids are handed back, or cannot be
     */
    public CompletableFuture<?> closeAsync() {
        boolean handingBack;
        lock.lock();
        try {
            dropBlocks();
            List<Segment> left = unused(); // whatever has ended it: nothing is given out from now on
            if (end == null) {
                end = closedException();
                unused = fixed ? null : left;
            }
            changed.signalAll();
            if (retry != null) {
                retry.cancel(false);
            }
            List<Segment> newestFirst = unused;
            handingBack = newestFirst != null && !newestFirst.isEmpty() && failures == 0;
            if (newestFirst != null && handingBack && !refilling) {
                unused = null; // else the refill that is under way hands it back, with what it brings
                refills.execute(() -> handBack(newestFirst));
            }
        } catch (RejectedExecutionException e) {
            handingBack = false; // the owner of the threads has ended them
        } finally {
            lock.unlock();
        }
        if (ownsRefills) {
            refills.shutdown(); // no interrupt: an interrupted read closes an H2 database for everybody
            // (h2database#227)
        }
        return handingBack ? handedBack.thenCompose(done -> LOG.written()) : CompletableFuture.completedFuture(null);
    }

    /** Seals the segment in use; gives what is left of it and of the reserve, the newest first. */
    private List<Segment> unused() {
        List<Segment> left = new ArrayList<>();
        if (spare != null) {
            left.add(spare);
            spare = null;
        }
        Cursor cursor = current;
        if (cursor != null) {
            cursor.seal().ifPresent(left::add);
        }
        return left;
    }

    /** After a refill that closing has overtaken: unless another one is under way, which does it then. */
    private void handBackAfterRefill() {
        List<Segment> newestFirst;
        lock.lock();
        try {
            if (refilling || unused == null || unused.isEmpty()) {
                return;
            }
            newestFirst = unused;
            unused = null;
        } finally {
            lock.unlock();
        }
        handBack(newestFirst);
    }

    /** Once, on a refill thread. */
    private void handBack(List<Segment> newestFirst) {
        try {
            allocator.handBack(name, newestFirst);
        } catch (RuntimeException e) {
            // not repeated: the first attempt may have succeeded, and the ids be another's by now
            LOG.log(System.Logger.Level.DEBUG, "unused ids of '" + name + "' are a gap", e);
        } finally {
            handedBack.complete(null);
        }
    }

    private long deadlineNanos() {
        return time.nanoTime() + acquireTimeout.toNanos();
    }

    /**
     * Fills the rest of the array, from what is in hand and from what refills bring, awaited until the deadline. The ids are
     * taken under the lock, so that what is missing is exact: a caller counts from the moment it first waits until it has all.
     */
    private void await(long[] ids, int filled) {
        long deadlineNanos = deadlineNanos();
        int have = filled;
        lock.lock();
        try (Waiter waiter = new Waiter(ids.length - have)) {
            while (true) {
                Cursor cursor = current;
                if (cursor != null) {
                    long index = cursor.take(ids.length - have);
                    int got = cursor.copy(index, ids, have);
                    have += got;
                    waiter.got(got);
                    if (cursor.isMarkIn(index, got) && spare == null && end == null) {
                        refill();
                    }
                    if (have == ids.length) {
                        return;
                    }
                }
                if (spare != null) {
                    takeSpare(spare, waiter);
                } else {
                    waiter.await(deadlineNanos);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the reserve into use, and has the next one fetched unless that is to wait. Called under the lock. */
    private void takeSpare(Segment segment, Waiter taker) {
        long now = time.nanoTime();
        Cursor used = current;
        if (used != null) {
            step.usedUp(used.segment.count(), now - used.sinceNanos);
        }
        boolean later = fixed || preload > 0;
        Cursor next = new Cursor(segment, now, later && !fixed ? (long) (segment.count() * preload) : Cursor.NEVER);
        spare = null;
        current = next;
        if (!later || missing + taker.uncounted() > segment.count()) {
            refill();
        }
    }

    /** Has the next segment fetched, now that this one is used as far as the builder was told. */
    private void preload(Cursor cursor) {
        lock.lock();
        try {
            if (cursor == current && spare == null && end == null) {
                refill();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One caller that finds no id: counted as long as it waits, with what it lacks. Used under the lock. */
    private final class Waiter implements AutoCloseable {
        private int wanted;
        private int refusalsBefore = refusals;
        private boolean waiting;

        Waiter(int wanted) {
            this.wanted = wanted;
        }

        /** Waits until something changes, which is for the caller to look at. */
        @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
        void await(long deadlineNanos) {
            checkOpen();
            if (refusal != null && (refusals != refusalsBefore || refusal.holds(time.nanoTime()))) {
                throw refusal.reason().forCaller();
            }
            enter();
            refill();
            checkOpen(); // the owner of the threads may have ended them
            long left = deadlineNanos - time.nanoTime();
            if (left <= 0) {
                throw outOfTime();
            }
            try {
                changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IdUnavailableException(
                        ErrorCode.INTERRUPTED,
                        name,
                        outage(),
                        "interrupted while waiting for ids of '" + name + "'",
                        e);
            }
        }

        /** So many ids it no longer lacks. */
        void got(int ids) {
            if (ids > 0) {
                refusalsBefore = refusals;
                wanted -= ids;
                missing -= waiting ? ids : 0;
            }
        }

        /** What it lacks and the sum of all who wait does not hold. */
        int uncounted() {
            return waiting ? 0 : wanted;
        }

        private void enter() {
            if (waiting) {
                return;
            }
            if (waiters >= maxWaiters) {
                throw new IdUnavailableException(
                        ErrorCode.TOO_MANY_WAITERS,
                        name,
                        outage(),
                        "already " + waiters + " threads wait for ids of '" + name + "', limit " + maxWaiters
                                + "; raise " + advice.apply(Knob.SEGMENT_STEP) + " or " + advice.apply(Knob.MAX_WAITERS)
                                + ", or shed load",
                        lastFailure);
            }
            waiting = true;
            waiters++;
            missing += wanted;
        }

        @Override
        public void close() {
            if (waiting) {
                waiters--;
                missing -= wanted;
            }
        }
    }

    private Duration outage() {
        return failures == 0 ? Duration.ZERO : Duration.ofNanos(time.nanoTime() - failingSinceNanos);
    }

    private IdUnavailableException outOfTime() {
        Throwable failure = lastFailure;
        String why = failure == null
                ? "the database has not answered yet"
                : "the database has been failing for " + Durations.text(Duration.ofMillis(outage().toMillis()))
                        + ", last: " + FailureText.of(failure);
        return new IdUnavailableException(
                ErrorCode.IDS_UNAVAILABLE,
                name,
                outage(),
                "no id for '" + name + "' within " + Durations.text(acquireTimeout) + "; " + why,
                failure);
    }

    /** Called under the lock. */
    private void checkOpen() {
        if (end != null) {
            throw end.forCaller();
        }
    }

    private IdGenerationException closedException() {
        return new IdGenerationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
    }

    /** Fetches the next segment unless that is under way. Called under the lock. */
    private void refill() {
        if (refilling && !refills.isShutdown()) {
            return;
        }
        try {
            refills.execute(this::allocate);
            refilling = true;
        } catch (RejectedExecutionException e) {
            end = closedException(); // the owner of the threads has ended them
            changed.signalAll();
        }
    }

    /** One attempt, on a refill thread; the lock is not held over the allocator's I/O. */
    private void allocate() {
        int wanted;
        lock.lock();
        try {
            wanted = wanted();
            if (wanted == 0) {
                refilling = false;
            }
        } finally {
            lock.unlock();
        }
        long startNanos = time.nanoTime();
        try {
            if (wanted > 0) {
                Segment segment =
                        Objects.requireNonNull(allocator.allocate(name, wanted), "the allocator gave no segment");
                arrived(segment, time.nanoTime() - startNanos);
            }
        } catch (StoreUnavailableException e) {
            failed(e);
        } catch (IdGenerationException e) {
            if (e.code() == ErrorCode.SEGMENT_WENT_BACK) {
                wentBack(e);
            } else {
                refused(e);
            }
        } catch (RuntimeException | Error e) {
            failed(e); // a driver's own surprises are an outage as well: nothing may end the refills unseen
        } finally {
            handBackAfterRefill();
        }
    }

    /** How many ids to ask for: a step, or what the waiting callers lack if that is more; none if the source is closed. */
    private int wanted() {
        if (end != null) {
            return 0;
        }
        Cursor cursor = current;
        long lacking = missing - (cursor == null ? 0 : cursor.left());
        return (int) Math.max(step.wanted(fillLevel.left(highest)), Math.min(lacking, longestRun));
    }

    private void arrived(Segment segment, long nanos) {
        lock.lock();
        try {
            refilling = false;
            if (allocator.isRising() && segment.first() <= highest) {
                wentBack(new IdGenerationException(
                        ErrorCode.SEGMENT_WENT_BACK,
                        "the allocator gave '" + name + "' ids from " + segment.first() + " after it had given up to "
                                + highest + "; the table was restored, truncated or edited: stop all writers, raise"
                                + " the row above the largest id in use, and start again"));
                return;
            }
            if (end != null) {
                if (unused != null) {
                    unused.add(0, segment);
                }
                return;
            }
            if (failures > 0) {
                events.onEvent(new IdgenEvent.OutageEnded(name, IdgenEvent.Activity.REFILL, outage(), failures));
            }
            events.onEvent(new IdgenEvent.Refilled(
                    name, segment.first(), segment.last(), segment.count(), Duration.ofNanos(nanos)));
            highest = Math.max(highest, segment.last());
            spare = segment;
            failures = 0;
            lastFailure = null;
            refusal = null;
            step.answeredAfter(nanos);
            fillLevel.reached(highest);
            // no more than can be served: of a thousand that wait for one id each, the others would only queue for the
            // lock
            for (int i = Math.min(waiters, segment.count()); i > 0; i--) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops the source for good, with the ids that it has left: another process may be given the same ones. */
    private void wentBack(IdGenerationException e) {
        lock.lock();
        try {
            refilling = false;
            if (end != null && unused == null) {
                return; // closed, and nothing is to be handed back
            }
            end = e;
            events.onEvent(new IdgenEvent.Stopped(name, e));
            dropBlocks();
            unused = null; // what such a table is given back, it gives out again
            handedBack.complete(null);
            Cursor cursor = current;
            if (cursor != null) {
                cursor.seal();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The allocator works and refuses. Calls that wait get the refusal at once, later calls as long as it {@linkplain
     * Refusal#holds holds}; the next call after that asks again.
     */
    private void refused(IdGenerationException e) {
        lock.lock();
        try {
            refilling = false;
            failures = 0;
            lastFailure = null;
            refusals++;
            refusal = Refusal.after(refusal, e, time.nanoTime());
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
                unused = null; // the database that failed just now is not waited for again
                handedBack.complete(null);
                return;
            }
            if (failures == 0) {
                failingSinceNanos = time.nanoTime();
                Cursor cursor = current;
                boolean idsLeft = spare != null || (cursor != null && cursor.left() > 0);
                events.onEvent(new IdgenEvent.OutageBegan(name, IdgenEvent.Activity.REFILL, idsLeft, e));
            }
            lastFailure = e;
            refusal = null;
            failures++;
            long pause = BACK_OFF.pause(failures).toMillis();
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

    /** A segment in use since some moment, and how much of it is taken. */
    private static final class Cursor {
        static final long USED_UP = -1;
        static final long NEVER = -1;

        // above any count, and so far from overflow that calls which find it used up cannot add their way there in a
        // hundred years
        private static final long SEAL = Long.MAX_VALUE / 2;

        private final Segment segment;
        private final long sinceNanos;
        private final long preloadAt;
        private final PaddedLong taken = new PaddedLong(0);

        /** The taker of the id at {@code preloadAt}, which may be {@link #NEVER}, has the next segment fetched. */
        Cursor(Segment segment, long sinceNanos, long preloadAt) {
            this.segment = segment;
            this.sinceNanos = sinceNanos;
            this.preloadAt = preloadAt;
        }

        /**
         * The index of the first of up to {@code wanted} ids that are now the caller's, or {@link #USED_UP}. One addition and
         * no look before it: between threads, each of the two would have to fetch the line of the cache.
         */
        long take(int wanted) {
            long index = taken.getAndAdd(wanted);
            return index < segment.count() ? index : USED_UP;
        }

        /** Puts the ids from {@code index} on into the array, as far as both reach; gives how many those are. */
        int copy(long index, long[] ids, int from) {
            if (index == USED_UP) {
                return 0;
            }
            int copied = (int) Math.min(ids.length - from, segment.count() - index);
            Progression.fill(ids, from, copied, segment.id(index), segment.stride());
            return copied;
        }

        boolean isMarkIn(long index, int count) {
            return index <= preloadAt && preloadAt < index + count;
        }

        long left() {
            return Math.max(0, segment.count() - taken.get());
        }

        /** Ends it; gives the ids that nobody has, and from now on nobody will. */
        Optional<Segment> seal() {
            long first = taken.getAndSet(SEAL);
            return first < segment.count()
                    ? Optional.of(new Segment(segment.id(first), (int) (segment.count() - first), segment.stride()))
                    : Optional.empty();
        }
    }

    /** What a {@link SegmentIdSource} is made of. Not for several threads. */
    public static final class Builder {
        private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);
        private static final int LARGEST_STEP = 10_000_000;

        private final SegmentAllocator allocator;
        private final String name;
        private int step = 1000;
        private @Nullable Integer minStep;
        private @Nullable Integer maxStep;
        private double preload;
        private boolean threadOrder;
        private Duration reserve = Duration.ofSeconds(60);
        private Duration acquireTimeout = Durations.parse(Defaults.ACQUIRE_TIMEOUT);
        private int maxWaiters = 10_000;
        private @Nullable ScheduledExecutorService refills;
        private IdgenListener listener = IdgenListener.NONE;
        private @Nullable IdgenListener directly;
        private Function<Knob, String> advice = Knob::method;
        private TimeSource time = CautiousTime.SYSTEM;

        private Builder(SegmentAllocator allocator, String name) {
            this.allocator = Objects.requireNonNull(allocator);
            this.name = SegmentAllocator.checkName(name);
        }

        /**
         * How many ids the first refill asks for; 1,000 if not said. Later ones ask for what {@link #reserve} needs.
         *
         * @param ids 1 to 1,000,000,000
         * @return this
         */
        public Builder step(int ids) {
            this.step = checkStep(ids);
            return this;
        }

        /**
         * How many ids a refill asks for at least; as many as the first if not said.
         *
         * @param ids 1 to 1,000,000,000; not above the step
         * @return this
         */
        public Builder minStep(int ids) {
            this.minStep = checkStep(ids);
            return this;
        }

        /**
         * How many ids a refill asks for at most; 10,000,000 if not said. A crash loses up to two steps. The same as the
         * step and the least, and all refills are of one size.
         *
         * @param ids 1 to 1,000,000,000; not below the step
         * @return this
         */
        public Builder maxStep(int ids) {
            this.maxStep = checkStep(ids);
            return this;
        }

        private static int checkStep(int ids) {
            if (ids < 1 || ids > 1_000_000_000) {
                throw new IllegalArgumentException("a step is 1 to 1000000000 ids, got " + ids);
            }
            return ids;
        }

        /**
         * How much of a segment is used before the next one is fetched; 0 if not said, so that there is always a full one in
         * reserve. Leaf has 0.1: a process that needs few ids then reserves one segment instead of two, at the price of that
         * share of the reserve.
         *
         * @param fraction from 0 to below 1
         * @return this
         */
        public Builder preload(double fraction) {
            if (!(fraction >= 0 && fraction < 1)) {
                throw new IllegalArgumentException("a preload fraction is from 0 to below 1, got " + fraction);
            }
            this.preload = fraction;
            return this;
        }

        /**
         * Lets each thread take a block of ids, up to 256 and never more than a small part of a segment, for
         * its next calls of {@link #nextId}: several times as fast, but ids no longer rise from one thread's call to
         * another's. At most 64 threads have blocks; what is left in them when the source is closed
         * is lost and not handed back. Changes nothing where runs are fixed.
         *
         * @return this
         */
        public Builder threadOrder() {
            this.threadOrder = true;
            return this;
        }

        /**
         * For how long the ids in reserve shall last at the rate at which they go out; 60 s if not said. The database may be
         * away for that long before a caller has to wait, within the largest step.
         *
         * @param duration from zero, which leaves the steps as small as they may be, to a day
         * @return this
         */
        public Builder reserve(Duration duration) {
            if (duration.isNegative() || duration.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("a reserve is from zero to " + Durations.text(LONGEST_TIMEOUT)
                        + ", got " + Durations.text(duration));
            }
            this.reserve = duration;
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
         * Sets the listener that receives events of refills and outages.
         *
         * @param newListener called on a daemon thread of idgen
         * @return this
         */
        public Builder listener(IdgenListener newListener) {
            this.listener = Objects.requireNonNull(newListener);
            return this;
        }

        /** For tests: events go to this listener on the thread that reports them, under the lock, and not to the log. */
        Builder listenerDirectly(IdgenListener newListener) {
            this.directly = newListener;
            return this;
        }

        /**
         * Says that settings have made this description: messages then advise settings, and else this builder's methods.
         *
         * @return this
         */
        public Builder fromSettings() {
            this.advice = Knob::setting;
            return this;
        }

        Builder time(TimeSource newTime) {
            this.time = newTime;
            return this;
        }

        private IdgenListener events() {
            return directly != null ? directly : new EventDelivery(LOG, listener);
        }

        /**
         * Makes the source. Nothing is fetched before the first id is asked for.
         *
         * @return a source, to be closed when it is no longer used
         * @throws IllegalArgumentException if the step is not between the least and the most
         */
        public SegmentIdSource build() {
            return new SegmentIdSource(this);
        }

        private int maxStep() {
            return maxStep == null ? Math.max(step, LARGEST_STEP) : maxStep;
        }

        private AdaptiveStep adaptiveStep() {
            int least = minStep == null ? step : minStep;
            if (least > step || step > maxStep()) {
                throw new IllegalArgumentException("the step is between the least and the most, got " + least + " <= "
                        + step + " <= " + maxStep());
            }
            // a database that is back is asked again only when the pause between two attempts is over
            Duration unnoticed = reserve.isZero() ? reserve : reserve.plus(BACK_OFF.longest());
            return new AdaptiveStep(step, least, maxStep(), unnoticed);
        }
    }
}
