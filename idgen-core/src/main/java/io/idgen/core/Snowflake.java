package io.idgen.core;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ids of time, datacenter, worker and sequence, made in memory. Ids of one generator rise; between workers they are ordered
 * by time to within the difference of the clocks. They are unique as long as no other process has the same worker id.
 *
 * <p>The state is one rising number of tick and sequence, moved by single atomic steps: {@code next = max(last + 1, now)}.
 * A call waits only for the clock, as the {@link ClockPolicy} says: for the next tick when this one's sequences are used up,
 * and for a clock that stepped back within the policy's limit. Waiting threads are parked, notice an interrupt, and give up
 * at a deadline by the monotonic clock.
 *
 * <p>Two generators of this JVM with one namespace and worker id share their state if they are equal in all else; otherwise
 * the second is refused.
 */
public final class Snowflake implements IdSource {
    /** How long a clock may stand still, beyond a tick, while the next tick is waited for. Some clocks move every 16 ms. */
    private static final Duration FROZEN = Duration.ofSeconds(1);

    // Short enough to lose little of the tick that is waited for, long enough to leave the core to others.
    private static final long POLL_NANOS = 125_000;

    private final SnowflakeLayout layout;
    private final ClockPolicy policy;
    private final TimeSource time;
    private final WorkerLease lease;
    private final int sequenceBits;
    private final long aheadTicks;
    private volatile boolean closed;

    private Snowflake(SnowflakeLayout layout, ClockPolicy policy, TimeSource time, WorkerLease lease) {
        this.layout = layout;
        this.policy = policy;
        this.time = time;
        this.lease = lease;
        this.sequenceBits = layout.sequenceBits();
        this.aheadTicks = policy.ahead().toMillis() / layout.tick().toMillis();
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
            long last = window.word();
            long now = now(); // after the word: a clock that does not step back is then never behind it
            long next = Math.max(last + 1, now << sequenceBits);
            if (last != Window.SEALED && next <= window.ceiling(now + aheadTicks)) {
                if (window.advance(last, next)) {
                    return window.id(next);
                }
            } else {
                wait = pause(wait, window, last, now);
            }
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
            long last = window.word();
            long now = now();
            long first = Math.max(last + 1, now << sequenceBits);
            long available = window.ceiling(now + aheadTicks) - first + 1;
            if (last != Window.SEALED && available > 0) {
                int claimed = (int) Math.min(available, count - filled);
                if (window.advance(last, first + claimed - 1)) {
                    for (int i = 0; i < claimed; i++) {
                        ids[filled++] = window.id(first + i);
                    }
                    wait = null;
                }
            } else {
                wait = pause(wait, window, last, now);
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
        long tick = layout.tickAt(time.millis());
        if (tick > layout.lastTick()) {
            throw exhausted();
        }
        return tick;
    }

    /** Since when a call waits for the clock. */
    private record Wait(long sinceNanos) {}

    /** Parks for a part of the time until an id can be had; throws when the policy's patience is over. */
    private Wait pause(@Nullable Wait before, Window window, long last, long now) {
        if (last == Window.SEALED) {
            throw closedException();
        }
        if (window.isUsedUp(last)) {
            throw exhausted();
        }
        Wait wait = before == null ? new Wait(time.nanoTime()) : before;
        Duration waited = Duration.ofNanos(time.nanoTime() - wait.sinceNanos);
        long behind = (last >>> sequenceBits) - aheadTicks - now;
        Duration limit;
        if (behind > 0) {
            limit = policy.patience();
            if (layout.tick().multipliedBy(behind).compareTo(limit) > 0 || waited.compareTo(limit) >= 0) {
                throw new ClockMovedBackwardsException(
                        layout.instantOf(last >>> sequenceBits), Instant.ofEpochMilli(time.millis()), limit);
            }
        } else {
            limit = layout.tick().plus(FROZEN);
            if (waited.compareTo(limit) >= 0) {
                throw new IdUnavailableException(
                        ErrorCode.CLOCK_STANDS_STILL,
                        "snowflake",
                        waited,
                        "all " + layout.idsPerTick() + " ids of the tick at " + layout.instantOf(last >>> sequenceBits)
                                + " are used, and the clock has not reached the next one for " + Durations.text(limit)
                                + "; check the host's clock",
                        null);
            }
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new IdUnavailableException(
                    ErrorCode.INTERRUPTED,
                    "snowflake",
                    Duration.ZERO,
                    "interrupted while waiting for the clock to pass " + layout.instantOf(last >>> sequenceBits),
                    null);
        }
        time.park(Math.min(parkNanos(last, now), limit.minus(waited).toNanos()));
        return wait;
    }

    /** All but the last millisecond of the time until the clock reaches the next usable tick; then in short turns. */
    private long parkNanos(long last, long now) {
        long missing = ((last + 1) >>> sequenceBits) - aheadTicks - now;
        long wholeMillis = (missing - 1) * layout.tick().toMillis();
        return wholeMillis > 0 ? wholeMillis * 1_000_000 : POLL_NANOS;
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
        private TimeSource time = TimeSource.SYSTEM;

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
         * Where the time comes from; the system's clock if not said.
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
            checkCovers(layout, Instant.ofEpochMilli(time.millis()));
            FixedWorkers.Key key = new FixedWorkers.Key(namespace, datacenterId, workerId);
            return new Snowflake(
                    layout,
                    policy,
                    time,
                    FixedWorkers.lease(key, new FixedWorkers.Terms(layout, policy, time), machine));
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
