package io.idgen.core.snowflake;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.internal.lease.LeaseTimes;
import io.idgen.core.internal.task.CloseWait;
import io.idgen.core.internal.text.Defaults;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.IssueClock;
import io.idgen.core.internal.window.StripedWindow;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.WorkerIdSet;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ids of time, datacenter, worker and sequence, made in memory. They are unique as long as no other process has the
 * same worker id. Ids of one generator rise, but under {@link ClockPolicy#reuse}; between workers they are ordered by
 * time to within the difference of the clocks.
 *
 * <p>An id is made by one atomic step of a word of tick and sequence that only rises: {@code next = max(last + 1,
 * now)}. A call waits only for the clock, as the {@link ClockPolicy} says: for the next tick when this one's sequences
 * are used up, and for a clock that stepped back within the policy's limit. Waiting threads are parked, notice an
 * interrupt, and give up at a deadline by the monotonic clock.
 *
 * <p>Where a tick has {@value StripedWindow#WIDE} ids or more, and the worker id is not leased, threads that race take
 * a block of them in a step: ids then rise from tick to tick, and not always within one. One thread that takes
 * thousands of them in a tick by itself is told the time by a thread that reads the clock for it, and ends when that is
 * no longer so; it reads the clock itself for one id in 64.
 *
 * <p>Two generators of this JVM with one namespace and worker id share their state if they are equal in all else;
 * otherwise the second is refused.
 */
public final class Snowflake implements IdSource {
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
     * Starts the description of a generator; only the worker id has no default.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws ClockMovedBackwardsException if the clock is further behind the last id than the policy allows, or stays
     *     behind for longer than the policy waits
     * @throws IdUnavailableException if the thread is interrupted while it waits, or the clock stands still
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
    public long[] nextIds(int count) {
        IdSource.checkBatch(count);
        long[] ids = new long[count];
        int filled = 0;
        IssueClock.Wait wait = null;
        while (filled < count) {
            Window window = window();
            long first = window.claim(clock, count - filled);
            if (first >= 0) {
                int claimed = window.claimed(first, count - filled);
                window.ids(first, claimed, ids, filled);
                filled += claimed;
                wait = null;
            } else {
                wait = clock.pause(wait, window);
            }
        }
        return ids;
    }

    /**
     * The layout, for example to parse what this generator made.
     *
     * @return the layout
     */
    public SnowflakeLayout layout() {
        return layout;
    }

    /**
     * By how much the time in the next id is behind. Under a lease whose store has been silent for long, ids do not
     * follow the time, so that the rest of the window lasts; they catch up when it answers again. Reads memory alone.
     *
     * @return zero while ids follow the time, and always without a lease
     */
    public Duration lag() {
        return clock.lag();
    }

    @Override
    public SnowflakeSnapshot snapshot() {
        return lease.snapshot();
    }

    /**
     * {@inheritDoc} Leases a worker id where one is to be leased.
     *
     * @throws IdUnavailableException if none is to be had in time, or the thread is interrupted while it waits
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
     * {@inheritDoc} Gives a leased worker id back, with the ticks that are left, and waits for that at most a second.
     */
    @Override
    public void close() {
        CloseWait.SYSTEM.await(closeAsync(), CloseWait.LONGEST);
    }

    @Override
    public CompletableFuture<?> closeAsync() {
        closed = true;
        return lease.closeAsync();
    }

    private Window window() {
        if (closed) {
            throw WorkerLease.closed(namespace);
        }
        return lease.window();
    }

    /** What a {@link Snowflake} is made of. Not for several threads. */
    // With its javadoc, most of this file; SnowflakeAssembly checks what it is given and makes the generator.
    public static final class Builder {
        SnowflakeLayout layout = SnowflakeLayout.parse(Defaults.LAYOUT);

        @Nullable
        Integer datacenterId;

        @Nullable
        Integer workerId;

        String namespace = Defaults.NAMESPACE;

        @Nullable
        ClockPolicy policy;

        int startOffsets = 1;

        @Nullable
        LeaseStore store;

        @Nullable
        LeaseStore reservedIn;

        WorkerIdSet reserved = WorkerIdSet.EMPTY;
        Duration lease = Durations.parse(Defaults.LEASE);
        Duration window = Durations.parse(Defaults.WINDOW);
        Duration renew = Durations.parse(Defaults.RENEW);
        Duration leaseTimeout = Durations.parse(Defaults.WORKER_TIMEOUT);
        Duration acquireTimeout = Durations.parse(Defaults.ACQUIRE_TIMEOUT);
        boolean keepHorizon = Defaults.KEEP_HORIZON.equals("keep");
        IdgenListener listener = IdgenListener.NONE;

        @Nullable
        IdgenListener directly;

        Function<Knob, String> advice = Knob::method;
        TimeSource time = CautiousTime.SYSTEM;

        private Builder() {}

        /**
         * How ids are laid out; {@link SnowflakeLayout#IDGEN} if not said.
         *
         * @param newLayout the layout
         * @return this
         */
        public Builder layout(SnowflakeLayout newLayout) {
            this.layout = Objects.requireNonNull(newLayout);
            return this;
        }

        /**
         * Which datacenter this is; 0 if not said, or any under a lease.
         *
         * @param id what fits in the layout's field
         * @return this
         */
        public Builder datacenterId(int id) {
            this.datacenterId = id;
            return this;
        }

        /**
         * Which worker this process is: within the datacenter, no other process may have the same.
         *
         * @param id what fits in the layout's field
         * @return this
         */
        public Builder workerId(int id) {
            this.workerId = id;
            return this;
        }

        /**
         * Leases the worker id, and the ticks to make ids of, from a store that all processes share; on first use, and
         * in the background from then on. A worker id or a datacenter id that is said as well narrows what may be
         * leased to that one. Ids then follow the store's clock, and no clock policy is needed.
         *
         * @param newStore not closed by the generator
         * @return this
         */
        public Builder leasedFrom(LeaseStore newStore) {
            this.store = Objects.requireNonNull(newStore);
            return this;
        }

        /**
         * Reserves the worker id that is given in a store from which other processes lease theirs, so that no lease
         * takes it. Ids then follow this host's clock.
         *
         * @param newStore not closed by the generator
         * @return this
         */
        public Builder reservedIn(LeaseStore newStore) {
            this.reservedIn = newStore;
            return this;
        }

        /**
         * Leases none of these worker ids, in whatever datacenter; leases leave none out if not said.
         *
         * @param workerIds numbers and ranges, for example {@code 0-3,7}; empty for none
         * @return this
         * @throws IllegalArgumentException if it is anything else
         */
        public Builder reserved(String workerIds) {
            this.reserved = workerIds.isBlank() ? WorkerIdSet.EMPTY : WorkerIdSet.parse(workerIds);
            return this;
        }

        /**
         * How a lease runs; 30 s, 180 s and 10 s if not said.
         *
         * @param newLease how long a process may be silent before its worker id is another's to take, 1 s to a day
         * @param newWindow how far ahead ticks are reserved: for about so long the store may be away; from the lease to
         *     a day
         * @param newRenew how often both are renewed; at most a third of the lease
         * @return this
         */
        public Builder lease(Duration newLease, Duration newWindow, Duration newRenew) {
            LeaseTimes.check(newLease, newWindow, newRenew);
            this.lease = newLease;
            this.window = newWindow;
            this.renew = newRenew;
            return this;
        }

        /**
         * How long a call may wait for the store: for the first lease, 30 s if not said, and for more ticks when the
         * window is used up, 3 s if not said.
         *
         * @param firstLease above zero
         * @param moreTicks above zero
         * @return this
         */
        public Builder acquireTimeout(Duration firstLease, Duration moreTicks) {
            this.leaseTimeout = LeaseTimes.checkTimeout(firstLease);
            this.acquireTimeout = LeaseTimes.checkTimeout(moreTicks);
            return this;
        }

        /**
         * Leaves the rest of the window unused when the lease is given back: where this process may be copied with its
         * memory, as by a snapshot of a virtual machine, its copy would still use that rest.
         *
         * @return this
         */
        public Builder keepHorizon() {
            this.keepHorizon = true;
            return this;
        }

        /**
         * Sets the listener that receives events of leases, outages and clocks.
         *
         * @param newListener called on a daemon thread of idgen
         * @return this
         */
        public Builder listener(IdgenListener newListener) {
            this.listener = Objects.requireNonNull(newListener);
            return this;
        }

        /** For tests: events go to this listener on the thread that reports them, and not to the log. */
        Builder listenerDirectly(IdgenListener newListener) {
            this.directly = newListener;
            return this;
        }

        /**
         * Lets messages advise settings instead of this builder's methods. For strategies that fill a builder from
         * settings.
         *
         * @return this
         */
        public Builder fromSettings() {
            this.advice = Knob::setting;
            return this;
        }

        /**
         * Within what worker ids must differ; {@code default} if not said. Generators for tables that never meet may
         * have namespaces of their own.
         *
         * @param name any name
         * @return this
         */
        public Builder namespace(String name) {
            this.namespace = Objects.requireNonNull(name);
            return this;
        }

        /**
         * What to do when the clock steps back; {@code wait:5ms} if not said. Not under a lease.
         *
         * @param newPolicy the policy
         * @return this
         */
        public Builder clockPolicy(ClockPolicy newPolicy) {
            this.policy = Objects.requireNonNull(newPolicy);
            return this;
        }

        /**
         * Lets each tick begin at a sequence below {@code bound}, chosen by a hash of the tick; 0 if not said. Under
         * light traffic nearly all ids are the first of their tick, and end in zeros: {@code id % 8} would put all rows
         * on one shard. Costs as many ids of a tick as its start skips.
         *
         * @param bound a power of two, at least 2 and at most half of a tick's ids
         * @return this
         */
        public Builder startOffsetBelow(int bound) {
            if (bound < 2 || Integer.bitCount(bound) != 1) {
                throw new IllegalArgumentException(
                        "the bound of start offsets is a power of two from 2 on, got " + bound);
            }
            this.startOffsets = bound;
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
         * Checks the description and makes the generator. Reads the clock once; no other I/O, and no thread before an
         * id is asked for.
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
