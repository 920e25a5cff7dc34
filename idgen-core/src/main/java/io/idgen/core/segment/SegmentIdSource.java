package io.idgen.core.segment;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.internal.lease.Checkpoints;
import io.idgen.core.internal.lease.EventDelivery;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.internal.time.Defaults;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.TaskThreads;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Generates ids from the segments of a {@link SegmentAllocator}. One full segment is kept in reserve. When a call takes
 * it into use, a background thread fetches the next one, so callers wait for the database only if they outrun it.
 * Segments grow and shrink with the demand: the reserve lasts for an outage of {@link Builder#reserve}.
 *
 * <p>A background thread calls the allocator, one call at a time. It repeats failed calls with growing pauses while the
 * source is open. A call that finds no id waits until its own deadline, and then gets a typed exception; the number of
 * waiting calls is limited. A crash leaves a gap of at most the remaining ids. Closing hands them back if the allocator
 * can take them.
 *
 * <p>Ids are unique among all processes that use the allocator's table. If the segments of the allocator rise, ids rise
 * in the order of calls, across all threads; {@link Builder#threadOrder} gives up that order for speed. A segment that
 * does not lie above all earlier ones shows that the table went back: the source then stops for good ({@link
 * ErrorCode#SEGMENT_WENT_BACK}).
 *
 * <p>If the allocator works {@linkplain SegmentAllocator#isOnDemand on demand}, nothing is fetched ahead: each call
 * waits for the database. One request fetches the ids for all calls that wait when it begins, and no more; they get
 * them in the order in which they came. While several threads draw ids, a request waits up to half the time of the last
 * one, and at most 1 ms, for the threads that the last one served. A crash leaves a gap of at most the ids of the
 * request that is under way.
 *
 * <p>Before a CRaC checkpoint of the process, the source discards its ids. After the restore, it fetches new ones, so
 * that copies of the process generate different ids.
 *
 * <p>Safe for many threads.
 */
public final class SegmentIdSource implements IdSource {
    private final @Nullable ThreadBlocks blocks;
    final SegmentSupply supply;

    @SuppressWarnings("UnusedVariable") // the JVM references it weakly
    private final @Nullable Object checkpoints;

    // the stock's segment in use; it is also kept here, so that a call reaches it with one read
    private volatile Cursor current = Cursor.empty();
    private final Supplier<OptionalLong> open = this::tryNextId;

    /**
     * Creates a source with the default step and limits. Its thread starts when there is something to fetch, and ends
     * when it is idle.
     *
     * @param allocator reserves segments
     * @param name the name of the ids
     */
    public SegmentIdSource(SegmentAllocator allocator, String name) {
        this(builder(allocator, name));
    }

    private SegmentIdSource(Builder builder) {
        this.blocks = builder.threadOrder && !builder.allocator.isOnDemand() ? new ThreadBlocks() : null;
        // after an outage, the next attempt comes only when the pause between two attempts is over
        Duration unnoticed =
                builder.reserve.isZero() ? builder.reserve : builder.reserve.plus(SegmentSupply.BACK_OFF.longest());
        AdaptiveStep step = new AdaptiveStep(builder.step, builder.maxStep, unnoticed);
        Stock stock = new Stock(builder.allocator, builder.name, step, blocks, cursor -> current = cursor);
        this.supply = new SegmentSupply(builder, stock);
        this.checkpoints = Checkpoints.register(supply::suspend, supply::resume);
    }

    /**
     * Creates a builder.
     *
     * @param allocator reserves segments
     * @param name the name of the ids
     * @return a builder
     */
    public static Builder builder(SegmentAllocator allocator, String name) {
        return new Builder(allocator, name);
    }

    /**
     * {@inheritDoc} Waits only if no id is left in the segment in use and none is in reserve, at most for the acquire
     * timeout.
     *
     * @throws IdUnavailableException if there is no id in time, too many threads wait already, or the thread is
     *     interrupted while it waits
     * @throws AllocationException if the allocator refuses, for example because the limit is reached
     * @throws IdGenerationException if the source is closed, or the table went back
     */
    @Override
    public long nextId() {
        if (blocks != null) {
            long own = nextOfBlock(blocks);
            if (own != ThreadBlocks.ThreadBlock.EMPTY) {
                return own;
            }
        }
        return nextOfSegment();
    }

    /** A method of its own, because the JIT compiler then makes blocks of threads an eighth faster. */
    private long nextOfSegment() {
        Cursor cursor = current;
        long index = cursor.take(1);
        return index == Cursor.USED_UP ? supply.next(open) : cursor.id(index);
    }

    @Override
    public OptionalLong tryNextId() {
        Cursor cursor = current;
        long index = cursor.take(1);
        return index == Cursor.USED_UP ? OptionalLong.empty() : OptionalLong.of(cursor.id(index));
    }

    /** Takes the next id of the calling thread's block; EMPTY if there is none without waiting. */
    private long nextOfBlock(ThreadBlocks all) {
        ThreadBlocks.ThreadBlock block = all.mine();
        if (block == null) {
            return ThreadBlocks.ThreadBlock.EMPTY;
        }
        long own = block.take();
        return own == ThreadBlocks.ThreadBlock.EMPTY && current.fill(block) ? block.take() : own;
    }

    @Override
    public void nextIds(long[] into, int from, int count) {
        IdSource.checkBatch(into, from, count);
        Cursor cursor = current;
        int filled = cursor.copy(cursor.take(count), into, from, count);
        if (filled < count) {
            supply.fill(into, from + filled, count - filled);
        }
    }

    /**
     * {@inheritDoc} Fetches a segment to use and one in reserve; only one id if the allocator works on demand. Waits
     * at most for the acquire timeout.
     *
     * @throws IdUnavailableException if they do not arrive in time, or the thread is interrupted while it waits
     * @throws AllocationException if the allocator refuses, for example because the limit is reached
     * @throws IdGenerationException if the source is closed
     */
    @Override
    public void warmUp() {
        supply.warmUp();
    }

    /**
     * {@inheritDoc} Hands the remaining ids back if the allocator can take them, so that the next process continues
     * with them. Waits for that at most one second.
     */
    @Override
    public void close() {
        CloseWait.await(closeAsync());
    }

    @Override
    public SegmentSnapshot snapshot() {
        return supply.snapshot();
    }

    @Override
    public CompletableFuture<?> closeAsync() {
        return supply.close();
    }

    /**
     * Builds a {@link SegmentIdSource}. Not safe for several threads.
     */
    public static final class Builder {
        final SegmentAllocator allocator;
        final String name;
        private int step = 1000;
        private @Nullable Integer maxStep;
        private boolean threadOrder;
        private Duration reserve = Duration.ofSeconds(60);
        Duration acquireTimeout = Durations.parse(Defaults.ACQUIRE_TIMEOUT);
        Duration firstTimeout = Duration.ofSeconds(30);
        int maxWaiters = 1_000_000;

        @Nullable
        TaskThreads refills;

        IdgenListener events = new EventDelivery(SegmentSupply.LOG, IdgenListener.NONE);
        TimeSource time = CautiousTime.SYSTEM;
        RandomGenerator random = new SplittableRandom();

        private Builder(SegmentAllocator allocator, String name) {
            this.allocator = Objects.requireNonNull(allocator);
            this.name = SegmentAllocator.checkName(name);
        }

        /**
         * Sets how many ids the first refill requests; the default is 1,000. Later refills request what {@link
         * #reserve} needs, and no fewer than this.
         *
         * @param ids 1 to 1,000,000,000
         * @return this
         */
        public Builder step(int ids) {
            this.step = check(ids);
            return this;
        }

        /**
         * Sets the most ids that a refill requests; the default is 10,000,000. A crash loses up to two steps. If this
         * and {@link #step} are equal, all refills have that size.
         *
         * @param ids 1 to 1,000,000,000; not below the step
         * @return this
         */
        public Builder maxStep(int ids) {
            this.maxStep = check(ids);
            return this;
        }

        /**
         * Lets each thread take a block of ids for its next calls of {@link #nextId}: up to 256, and only a small part
         * of a segment. This is several times as fast, but ids no longer rise across threads. At most 64 threads have
         * blocks; closing does not hand back the ids in them. Has no effect if the allocator works on
         * demand.
         *
         * @return this
         */
        public Builder threadOrder() {
            this.threadOrder = true;
            return this;
        }

        /**
         * Sets how long the ids in reserve last at the present demand; the default is 60 s. An outage of the database
         * may last this long before a caller waits, if the largest step allows it.
         *
         * @param duration from zero, which keeps the steps as small as possible, to a day
         * @return this
         */
        public Builder reserve(Duration duration) {
            if (duration.isNegative() || duration.compareTo(Durations.LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("a reserve is from zero to "
                        + Durations.text(Durations.LONGEST_TIMEOUT) + ", got " + Durations.text(duration));
            }
            this.reserve = duration;
            return this;
        }

        /**
         * Sets how long a call may wait for a refill, also for the first one. The default is 3 s, and 30 s for the
         * first refill, which loads drivers and pools.
         *
         * @param timeout above zero, at most a day
         * @return this
         */
        public Builder acquireTimeout(Duration timeout) {
            this.acquireTimeout = Durations.checkTimeout(timeout);
            this.firstTimeout = timeout;
            return this;
        }

        /**
         * Sets how many threads may wait at the same time. The default is 1,000,000: each call has a deadline of its
         * own, and a virtual thread that waits costs little memory.
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
         * Sets the threads that run refills, so that sources can share them; the default is a thread of its own.
         *
         * @param threads not closed by the source
         * @return this
         */
        public Builder refills(RefillThreads threads) {
            return refills(threads.threads);
        }

        Builder refills(TaskThreads threads) {
            this.refills = threads;
            return this;
        }

        /**
         * Sets the listener that receives events of refills and outages.
         *
         * @param newListener called on a daemon thread of idgen
         * @return this
         */
        public Builder listener(IdgenListener newListener) {
            this.events = new EventDelivery(SegmentSupply.LOG, Objects.requireNonNull(newListener));
            return this;
        }

        /**
         * For tests. Events go to this listener on the thread that reports them, under the lock, and not to the log.
         */
        Builder listenerDirectly(IdgenListener newListener) {
            this.events = newListener;
            return this;
        }

        /** For tests, as {@link #random} is. */
        Builder time(TimeSource newTime) {
            this.time = newTime;
            return this;
        }

        Builder random(RandomGenerator newRandom) {
            this.random = newRandom;
            return this;
        }

        private static int check(int ids) {
            if (ids < 1 || ids > 1_000_000_000) {
                throw new IllegalArgumentException("a step is 1 to 1000000000 ids, got " + ids);
            }
            return ids;
        }

        /**
         * Creates the source. It fetches nothing before the first id is requested.
         *
         * @return a source; close it after use
         * @throws IllegalArgumentException if the step is above the most
         */
        public SegmentIdSource build() {
            return new SegmentIdSource(this);
        }
    }
}
