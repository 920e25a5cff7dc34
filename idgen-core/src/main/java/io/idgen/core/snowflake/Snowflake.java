package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.internal.lease.EventDelivery;
import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.StripedWindow;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerIdSet;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.internal.time.Defaults;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.Names;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Generates ids of time, datacenter id, worker id and sequence, in memory. They are unique as long as no other process
 * has the same worker id. The ids of one generator rise, except under {@link ClockPolicy#reuse}. Ids of several workers
 * are ordered by time, as exactly as their clocks agree.
 *
 * <p>One atomic step generates an id. It changes a word of tick and sequence that only rises: {@code next = max(last +
 * 1, now)}. Without a lease, a call waits only for the clock, as the {@link ClockPolicy} says: for the next tick when
 * the sequences of this one are used up, and for a clock that stepped back within the policy's limit. Under a lease, a
 * call also waits for the first lease, and for the store if the window is used up. A waiting thread is parked, reacts
 * to an interrupt, and gives up at a deadline of the monotonic clock.
 *
 * <p>In layouts with {@value StripedWindow#WIDE} ids or more per tick, threads claim blocks of ids. Then the ids of one
 * thread rise, and those of several threads rise from tick to tick, but not always within a tick. A daemon thread
 * caches the tick while threads generate thousands of ids per tick; {@link Builder#cachedTick} turns this off.
 *
 * <p>Two generators in one JVM with the same namespace and worker id share their state if all their other properties
 * are equal; otherwise the second one is refused. Safe for many threads.
 */
public final class Snowflake implements IdSource {
    static final AsyncLog LOG = AsyncLog.of(Snowflake.class);

    private final String namespace;
    private final SnowflakeLayout layout;
    private final WorkerLease lease;
    private final IssueClock clock;
    private volatile boolean closed;

    Snowflake(String namespace, SnowflakeLayout layout, WorkerLease lease, IssueClock clock) {
        this.namespace = namespace;
        this.layout = layout;
        this.lease = lease;
        this.clock = clock;
    }

    /**
     * Creates a builder. Only the worker id has no default.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * <p>In a layout with {@value StripedWindow#WIDE} ids or more per tick, a call may start the daemon thread {@code
     * idgen-clock}, unless {@link Builder#cachedTick} is off.
     *
     * @throws IdUnavailableException if the clock is further behind the last id than the policy allows, or stays behind
     *     for longer than the policy waits ({@link io.idgen.core.ErrorCode#CLOCK_MOVED_BACKWARDS}); if the thread is
     *     interrupted while it waits, or the clock stands still
     * @throws IdGenerationException if the generator is closed, or the layout's last tick is used up
     */
    @Override
    public long nextId() {
        IssueClock.Wait wait = null;
        while (true) {
            Window window = window();
            long word = window.claim(clock);
            if (word >= 0) {
                return window.id(word);
            }
            wait = clock.pause(wait, window);
        }
    }

    @Override
    public OptionalLong tryNextId() {
        Window window = window();
        long word = window.claim(clock);
        return word >= 0 ? OptionalLong.of(window.id(word)) : OptionalLong.empty();
    }

    @Override
    public void nextIds(long[] into, int from, int count) {
        IdSource.checkBatch(into, from, count);
        int filled = from;
        int left = count;
        IssueClock.Wait wait = null;
        while (left > 0) {
            Window window = window();
            long first = window.claim(clock, left);
            if (first >= 0) {
                int claimed = window.claimed(first, left);
                window.ids(first, claimed, into, filled);
                filled += claimed;
                left -= claimed;
                wait = null;
            } else {
                wait = clock.pause(wait, window);
            }
        }
    }

    /**
     * Returns the layout, for example to parse ids of this generator.
     *
     * @return the layout
     */
    public SnowflakeLayout layout() {
        return layout;
    }

    @Override
    public SnowflakeSnapshot snapshot() {
        return lease.snapshot(clock.tickWaits());
    }

    /**
     * {@inheritDoc} With a lease store, this leases a worker id.
     *
     * @throws IdUnavailableException if no worker id becomes free in time, or the thread is interrupted while it waits
     * @throws IdGenerationException if the generator is closed, or the store refuses
     */
    @Override
    public void warmUp() {
        if (closed) {
            throw WorkerLease.closed(namespace);
        }
        lease.warmUp();
    }

    /**
     * {@inheritDoc} Gives a leased worker id back, with the ticks that are left. Waits for that at most one second.
     */
    @Override
    public void close() {
        CloseWait.await(closeAsync());
    }

    @Override
    public CompletableFuture<?> closeAsync() {
        closed = true;
        return lease.close();
    }

    private Window window() {
        if (closed) {
            throw WorkerLease.closed(namespace);
        }
        return lease.window();
    }

    /** Builds a {@link Snowflake}. Not safe for several threads. */
    public static final class Builder {
        SnowflakeLayout layout = SnowflakeLayout.parse(Defaults.LAYOUT);

        @Nullable
        Integer datacenterId;

        @Nullable
        Integer workerId;

        String namespace = Defaults.NAMESPACE;

        @Nullable
        ClockPolicy policy;

        int startOffsets = Window.START_OFFSETS;

        boolean cachedTick = true;

        @Nullable
        LeaseStore store;

        WorkerIdSet reserved = WorkerIdSet.EMPTY;
        Duration lease = LeaseTerms.LEASE;
        Duration window = LeaseTerms.WINDOW;
        Duration leaseTimeout = Durations.parse(Defaults.WORKER_TIMEOUT);
        Duration acquireTimeout = Durations.parse(Defaults.ACQUIRE_TIMEOUT);
        IdgenListener events = new EventDelivery(LOG, IdgenListener.NONE);
        TimeSource time = CautiousTime.SYSTEM;

        private Builder() {}

        /**
         * Sets the layout of the ids; the default is {@link SnowflakeLayout#IDGEN}.
         *
         * @param newLayout the layout
         * @return this
         */
        public Builder layout(SnowflakeLayout newLayout) {
            this.layout = Objects.requireNonNull(newLayout);
            return this;
        }

        /**
         * Sets the datacenter id. The default is 0; under a lease, any.
         *
         * @param id 0 to the largest number of the layout's field
         * @return this
         */
        public Builder datacenterId(int id) {
            this.datacenterId = id;
            return this;
        }

        /**
         * Sets the worker id. No other process of the datacenter may have the same one.
         *
         * @param id 0 to the largest number of the layout's field
         * @return this
         */
        public Builder workerId(int id) {
            this.workerId = id;
            return this;
        }

        /**
         * Leases the worker id and its ticks from a store that all processes share. The first call for an id leases; a
         * background thread renews. If a worker id or a datacenter id is set too, only that one is leased. Ids follow
         * the store's clock, and there is no clock policy.
         *
         * @param newStore not closed by the generator
         * @return this
         */
        public Builder leasedFrom(LeaseStore newStore) {
            this.store = Objects.requireNonNull(newStore);
            return this;
        }

        /**
         * Excludes these worker ids from leases, in every datacenter. The default excludes none.
         *
         * @param workerIds numbers and ranges, for example {@code 0-3,7}; empty for none
         * @return this
         * @throws IllegalArgumentException if it is anything else
         */
        public Builder reserved(String workerIds) {
            this.reserved = workerIds.isBlank() ? WorkerIdSet.EMPTY : WorkerIdSet.parse(workerIds);
            return this;
        }

        /** For tests: short times. Processes with other times than these get no lease in the same namespace. */
        Builder lease(Duration newLease, Duration newWindow) {
            this.lease = newLease;
            this.window = newWindow;
            return this;
        }

        /**
         * Sets how long a call may wait for the store: 30 s by default for the first lease, and 3 s for more ticks when
         * the window is used up.
         *
         * @param firstLease above zero, at most a day
         * @param moreTicks above zero, at most a day
         * @return this
         */
        public Builder acquireTimeout(Duration firstLease, Duration moreTicks) {
            this.leaseTimeout = Durations.checkTimeout(firstLease);
            this.acquireTimeout = Durations.checkTimeout(moreTicks);
            return this;
        }

        /**
         * Sets the listener that receives events of leases, outages and clocks.
         *
         * @param newListener called on a daemon thread of idgen
         * @return this
         */
        public Builder listener(IdgenListener newListener) {
            this.events = new EventDelivery(LOG, Objects.requireNonNull(newListener));
            return this;
        }

        /** For tests: events go to this listener on the thread that reports them, and not to the log. */
        Builder listenerDirectly(IdgenListener newListener) {
            this.events = newListener;
            return this;
        }

        /**
         * Sets the scope within which worker ids are unique; the default is {@code default}. Generators for separate
         * tables, whose ids never meet, may have separate namespaces.
         *
         * @param name any name
         * @return this
         */
        public Builder namespace(String name) {
            this.namespace = Names.check("a namespace", name, Defaults.LONGEST_NAMESPACE);
            return this;
        }

        /**
         * Sets what happens when the clock steps back; the default is {@code wait:5ms}. Refused under a lease.
         *
         * @param newPolicy the policy
         * @return this
         */
        public Builder clockPolicy(ClockPolicy newPolicy) {
            this.policy = Objects.requireNonNull(newPolicy);
            return this;
        }

        /**
         * Lets each tick begin at a sequence below {@code bound}, which a hash of the tick selects. Under light traffic
         * nearly all ids are the first of their tick. If they ended in zeros, {@code id % 8} would put all rows on one
         * shard. The ids of a tick below its start are lost; a tick that follows a full one begins at 0.
         *
         * <p>The default is {@value Window#START_OFFSETS}. At most half of a tick's ids are lost: a larger bound counts
         * as that. In layouts whose lowest bits are the worker's, each tick begins at 0.
         *
         * @param bound a power of two; 1 to begin each tick at 0
         * @return this
         */
        public Builder startOffsetBelow(int bound) {
            if (bound < 1 || Integer.bitCount(bound) != 1) {
                throw new IllegalArgumentException("the bound of start offsets is a power of two, got " + bound);
            }
            this.startOffsets = bound;
            return this;
        }

        /**
         * Caches the tick for threads that generate thousands of ids per tick, because reading the clock takes most of
         * the time of a call. {@link Snowflake#nextId} then starts a daemon thread, {@code idgen-clock}. It wakes up
         * once per tick while the cached tick is in demand, and ends ten ticks later. If it is late, the time in ids
         * lags as much, for at most 64 ids of a thread; an id of one thread may then be lower than an earlier one of
         * another thread. Without it, each id reads the clock, and no thread starts. Has no effect in layouts with
         * fewer than {@value StripedWindow#WIDE} ids per tick, or with a {@link #clock} of your own.
         *
         * @param cached whether the tick is cached; the default is true
         * @return this
         */
        public Builder cachedTick(boolean cached) {
            this.cachedTick = cached;
            return this;
        }

        /**
         * Sets the clock; the default is the system's clock, {@link InstantSource#system}. When the system's clock
         * leaps ahead, the generator believes it only after 10 s. It believes any other clock at once.
         *
         * @param clock read for each id, by many threads at once
         * @return this
         */
        public Builder clock(InstantSource clock) {
            return time(TimeSource.of(clock));
        }

        Builder time(TimeSource newTime) {
            this.time = newTime;
            return this;
        }

        /**
         * Checks the values and creates the generator. Reads the clock once. Does no I/O and starts no thread before
         * the first call for an id.
         *
         * @return a generator, to be closed when it is no longer used
         * @throws ConfigurationException if the worker id is missing, does not fit, or is in use in this JVM by a
         *     different generator, or the layout's epoch lies in the future or its end in the past
         */
        public Snowflake build() {
            return new SnowflakeAssembly(this).make();
        }
    }
}
