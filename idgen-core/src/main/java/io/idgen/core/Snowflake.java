package io.idgen.core;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ids of time, datacenter, worker and sequence, made in memory. They are unique as long as no other process has the same worker
 * id. Ids of one generator rise, but under {@link ClockPolicy#reuse}; between workers they are ordered by time to within the
 * difference of the clocks.
 *
 * <p>An id is made by one atomic step of a word of tick and sequence that only rises: {@code next = max(last + 1, now)}. A call
 * waits only for the clock, as the {@link ClockPolicy} says: for the next tick when this one's sequences are used up, and for a
 * clock that stepped back within the policy's limit. Waiting threads are parked, notice an interrupt, and give up at a deadline
 * by the monotonic clock.
 *
 * <p>Two generators of this JVM with one namespace and worker id share their state if they are equal in all else; otherwise
 * the second is refused.
 */
public final class Snowflake implements IdSource {
    private static final System.Logger LOG = System.getLogger(Snowflake.class.getName());

    /** How long before a layout's end it is warned of: moving a table's ids to another layout takes planning. */
    private static final Duration END_IN_SIGHT = Duration.ofDays(5 * 365);

    /** How long a clock may stand still, beyond a tick, while the next tick is waited for. Some clocks move every 16 ms. */
    private static final Duration FROZEN = Duration.ofSeconds(1);

    // Short enough to lose little of the tick that is waited for, long enough to leave the core to others.
    private static final long POLL_NANOS = 125_000;

    private final SnowflakeLayout layout;
    private final ClockPolicy policy;
    private final TimeSource time;
    private final WorkerLease lease;
    private final Window.Ticks clock = this::now;
    private volatile boolean closed;

    private Snowflake(SnowflakeLayout layout, ClockPolicy policy, TimeSource time, WorkerLease lease) {
        this.layout = layout;
        this.policy = policy;
        this.time = time;
        this.lease = lease;
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
        Wait wait = null;
        while (true) {
            Window window = window();
            long word = window.claim(clock);
            if (word >= 0) {
                return window.id(word);
            }
            wait = pause(wait, window);
        }
    }

    @Override
    public long[] nextIds(int count) {
        IdSource.checkBatch(count);
        long[] ids = new long[count];
        int filled = 0;
        Wait wait = null;
        while (filled < count) {
            Window window = window();
            int claimed = window.claim(clock, ids, filled, count - filled);
            if (claimed > 0) {
                for (int end = filled + claimed; filled < end; filled++) {
                    ids[filled] = window.id(ids[filled]);
                }
                wait = null;
            } else {
                wait = pause(wait, window);
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

    @Override
    public void close() {
        closed = true;
        lease.close();
    }

    private Window window() {
        if (closed) {
            throw closedException();
        }
        return lease.window();
    }

    private long now() {
        return tickOf(time.millis());
    }

    private long tickOf(long millis) {
        long tick = layout.tickAt(millis);
        if (tick > layout.lastTick()) {
            throw exhausted();
        }
        return tick;
    }

    /** Since when a call waits for the clock; the clock's last reading, and since when it has not moved. */
    private record Wait(long sinceNanos, long tick, long tickSinceNanos) {

        static Wait next(@Nullable Wait before, long tick, long nanos) {
            if (before == null) {
                return new Wait(nanos, tick, nanos);
            }
            return tick == before.tick ? before : new Wait(before.sinceNanos, tick, nanos);
        }
    }

    /** Parks for a part of the time until an id can be had; throws when the policy's patience is over. */
    private Wait pause(@Nullable Wait before, Window window) {
        long highest = window.highest();
        if (highest == Window.SEALED) {
            throw closedException();
        }
        if (window.isUsedUp(highest)) {
            throw exhausted();
        }
        long lastTick = highest >>> layout.sequenceBits();
        long nanos = time.nanoTime(); // before the clock: a pause between the two is not held against it
        long millis = time.millis();
        long now = tickOf(millis);
        long behind = lastTick - window.aheadTicks() - now;
        Wait wait = Wait.next(before, now, nanos);
        Duration left;
        if (behind > 0) {
            left = policy.patience().minusNanos(nanos - wait.sinceNanos);
            if (layout.tick().multipliedBy(behind).compareTo(policy.patience()) > 0
                    || left.isNegative()
                    || left.isZero()) {
                Duration allowed =
                        layout.tick().multipliedBy(window.aheadTicks()).plus(policy.patience());
                throw new ClockMovedBackwardsException(
                        layout.instantOf(lastTick), Instant.ofEpochMilli(millis), allowed);
            }
        } else {
            Duration limit = layout.tick().plus(FROZEN);
            left = limit.minusNanos(nanos - wait.tickSinceNanos);
            if (left.isNegative() || left.isZero()) {
                throw new IdUnavailableException(
                        ErrorCode.CLOCK_STANDS_STILL,
                        "snowflake",
                        Duration.ofNanos(nanos - wait.sinceNanos),
                        "all " + layout.idsPerTick() + " ids of the tick at " + layout.instantOf(lastTick)
                                + " are used, and the clock has not moved for " + Durations.text(limit)
                                + "; check the host's clock",
                        null);
            }
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new IdUnavailableException(
                    ErrorCode.INTERRUPTED,
                    "snowflake",
                    Duration.ZERO,
                    "interrupted while waiting for the clock to pass " + layout.instantOf(lastTick),
                    null);
        }
        time.park(Math.min(parkNanos(millis, now, behind), left.toNanos()));
        return wait;
    }

    /** Most of the time until the clock has caught up, or reached the next tick; the last millisecond in short turns. */
    private long parkNanos(long millis, long now, long behindTicks) {
        long left = layout.instantOf(now + Math.max(1, behindTicks)).toEpochMilli() - millis;
        return left > 1 ? (left - 1) * 1_000_000 : POLL_NANOS;
    }

    private IdGenerationException exhausted() {
        return new IdGenerationException(
                ErrorCode.LAYOUT_EXHAUSTED,
                "layout " + layout + " ends at " + layout.end() + ", now " + Instant.ofEpochMilli(time.millis())
                        + "; move to one with more time bits, a coarser tick or a later epoch");
    }

    private static IdGenerationException closedException() {
        return new IdGenerationException(ErrorCode.SOURCE_CLOSED, "this snowflake generator is closed");
    }

    /** What a {@link Snowflake} is made of. Not for several threads. */
    public static final class Builder {
        private SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        private int datacenterId;
        private @Nullable Integer workerId;
        private String namespace = "default";
        private ClockPolicy policy = ClockPolicy.waitAtMost(Duration.ofMillis(5));
        private int startOffsets = 1;
        private TimeSource time = CautiousTime.SYSTEM;

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
         * Which datacenter this is; 0 if not said.
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
         * Within what worker ids must differ; {@code default} if not said. Generators for tables that never meet may have
         * namespaces of their own.
         *
         * @param name any name
         * @return this
         */
        public Builder namespace(String name) {
            this.namespace = Objects.requireNonNull(name);
            return this;
        }

        /**
         * What to do when the clock steps back; {@code wait:5ms} if not said.
         *
         * @param newPolicy the policy
         * @return this
         */
        public Builder clockPolicy(ClockPolicy newPolicy) {
            this.policy = Objects.requireNonNull(newPolicy);
            return this;
        }

        /**
         * Lets each tick begin at a sequence below {@code bound}, chosen by a hash of the tick; 0 if not said. Under light
         * traffic nearly all ids are the first of their tick, and end in zeros: {@code id % 8} would put all rows on one
         * shard. Costs as many ids of a tick as its start skips.
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
         * Where the time comes from; the system's clock if not said. The system's clock is not believed when it leaps ahead,
         * until it has stayed there for 10 s; a clock that is given here is believed at once.
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
         * Checks the description and makes the generator. Reads the clock once; no other I/O, no thread.
         *
         * @return a generator, to be closed when it is no longer used
         * @throws ConfigurationException if the worker id is missing, does not fit, or is in use in this JVM by a different
         *     generator, or the layout's epoch lies in the future or its end in the past
         */
        public Snowflake build() {
            if (workerId == null) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_UNKNOWN,
                        "a snowflake needs a worker id that no other process has; give one from 0 to "
                                + (layout.workers() - 1));
            }
            long machine;
            try {
                machine = layout.machine(datacenterId, workerId);
            } catch (IllegalArgumentException e) {
                throw new ConfigurationException(ErrorCode.INVALID_SETTING, String.valueOf(e.getMessage()), e);
            }
            checkStartOffsets();
            checkCovers(layout, Instant.ofEpochMilli(time.millis()));
            logEnd();
            FixedWorkers.Key key = new FixedWorkers.Key(namespace, datacenterId, workerId);
            return new Snowflake(
                    layout,
                    policy,
                    time,
                    FixedWorkers.lease(key, new FixedWorkers.Terms(layout, policy, startOffsets, time), machine));
        }

        private void logEnd() {
            Duration left = Duration.between(Instant.ofEpochMilli(time.millis()), layout.end());
            boolean soon = left.compareTo(END_IN_SIGHT) < 0;
            LOG.log(
                    soon ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                    "layout {0} ends at {1}, in {2} days{3}",
                    layout,
                    layout.end(),
                    left.toDays(),
                    soon ? "; plan the move to one with more time bits, a coarser tick or a later epoch" : "");
        }

        private void checkStartOffsets() {
            if (startOffsets == 1) {
                return;
            }
            if (layout.order() != SnowflakeLayout.FieldOrder.SEQUENCE_LOWEST) {
                throw new ConfigurationException(
                        ErrorCode.INVALID_SETTING,
                        "start offsets change nothing in layout " + layout
                                + ", whose lowest bits are the machine's; leave them out");
            }
            if (startOffsets > layout.idsPerTick() / 2) {
                throw new ConfigurationException(
                        ErrorCode.INVALID_SETTING,
                        "start offsets below " + startOffsets + " leave too little of a tick's " + layout.idsPerTick()
                                + " ids; choose at most " + layout.idsPerTick() / 2);
            }
        }
    }

    /** Refuses a layout that has no ids for the present. */
    static void checkCovers(SnowflakeLayout layout, Instant now) {
        if (now.isBefore(layout.epoch())) {
            throw new ConfigurationException(ErrorCode.INVALID_SETTING, epochInFuture(layout, now));
        }
        if (now.isAfter(layout.end())) {
            throw new ConfigurationException(
                    ErrorCode.LAYOUT_EXHAUSTED,
                    "layout " + layout + " ended at " + layout.end() + " (now " + now
                            + "); choose one with more time bits, a coarser tick or a later epoch");
        }
    }

    static String epochInFuture(SnowflakeLayout layout, Instant now) {
        return "epoch " + layout.epoch() + " is in the future (now " + now
                + "); ids would be negative; choose one that has passed, or check the clock";
    }
}
