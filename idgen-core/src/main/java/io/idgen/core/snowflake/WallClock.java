package io.idgen.core.snowflake;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.IssueClock;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.TickQueue;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerKey;
import io.idgen.core.internal.lease.WorkerLease;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.RateLimit;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The clock of this host, which may step in either direction. The {@link ClockPolicy} determines what happens then. */
final class WallClock implements IssueClock {
    /** The shortest time between two reports that the clock is behind. */
    static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    /**
     * How long the clock may stand still, beyond a tick, while a call waits for the next tick. Some clocks move every
     * 16 ms.
     */
    private static final Duration FROZEN = Duration.ofSeconds(1);

    /** A call that waits for a clock which is behind reads it again after this time: it may have been corrected. */
    private static final long READ_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final SnowflakeLayout layout;
    private final TickScale scale;
    private final long lastTick;
    private final ClockPolicy policy;
    private final TimeSource time;
    private final String namespace;
    private final IdgenListener events;
    private final RateLimit reports;
    private final TickQueue queue;

    WallClock(SnowflakeLayout layout, ClockPolicy policy, TimeSource time, String namespace, IdgenListener events) {
        this.layout = layout;
        this.scale = LayoutTime.ticks(layout);
        this.lastTick = scale.lastTick();
        this.policy = policy;
        this.time = time;
        this.namespace = namespace;
        this.events = events;
        this.reports = new RateLimit(REPORT_EVERY, time);
        this.queue = new TickQueue(layout, time, this, this::nanosUntil);
    }

    @Override
    public long now() {
        return tickOf(time.millis());
    }

    private long tickOf(long millis) {
        long tick = scale.tickAt(millis);
        if (tick > lastTick) {
            throw LayoutTime.exhausted(layout, millis);
        }
        return tick;
    }

    /**
     * The time since which a call waits for the clock, the clock's last reading, and the time since which it has not
     * moved.
     */
    private record TickReading(long sinceNanos, long tick, long tickSinceNanos) implements Wait {

        static TickReading next(@Nullable TickReading before, long tick, long nanos) {
            if (before == null) {
                return new TickReading(nanos, tick, nanos);
            }
            return tick == before.tick ? before : new TickReading(before.sinceNanos, tick, nanos);
        }
    }

    @Override
    public Wait pause(@Nullable Wait before, Window window) {
        long highest = window.highest();
        if (highest == Window.SEALED) {
            throw WorkerLease.closed(namespace);
        }
        if (window.isUsedUp(highest)) {
            throw LayoutTime.exhausted(layout, time.millis());
        }
        long highestTick = highest >>> layout.sequenceBits();
        long nanos = time.nanoTime(); // before the clock is read: a pause between the two must not count against it
        long millis = time.millis();
        long now = tickOf(millis);
        long behind = highestTick - window.aheadTicks() - now;
        TickReading wait = TickReading.next((TickReading) before, now, nanos);
        Duration left;
        long longestNanos = Long.MAX_VALUE;
        if (behind > 0) {
            longestNanos = READ_AGAIN_NANOS;
            if (reports.allows()) {
                events.onEvent(new IdgenEvent(
                        IdgenEvent.Kind.CLOCK_BEHIND,
                        namespace,
                        "the clock is at %s, and the last id of %s at %s",
                        Instant.ofEpochMilli(millis),
                        WorkerKey.of(namespace, layout, (int) window.workerId).text(),
                        scale.instantOf(highestTick)));
            }
            left = policy.patience().minusNanos(nanos - wait.sinceNanos);
            if (layout.tick().multipliedBy(behind).compareTo(policy.patience()) > 0
                    || left.isNegative()
                    || left.isZero()) {
                Duration allowed =
                        layout.tick().multipliedBy(window.aheadTicks()).plus(policy.patience());
                Instant last = scale.instantOf(highestTick);
                Instant shown = Instant.ofEpochMilli(millis);
                throw new IdUnavailableException(
                        ErrorCode.CLOCK_MOVED_BACKWARDS,
                        namespace,
                        "clock is " + Durations.text(Duration.between(shown, last)) + " behind the last id, limit "
                                + Durations.text(allowed) + " (last " + last + ", now " + shown
                                + "); correct the host's clock, or wait until it has passed the last id. Do not restart"
                                + " this process or change the clock policy before that: a restart forgets the last id,"
                                + " and ids repeat",
                        null);
            }
        } else {
            if (before == null) {
                queue.countWait();
            }
            Duration limit = layout.tick().plus(FROZEN);
            left = limit.minusNanos(nanos - wait.tickSinceNanos);
            if (left.isNegative() || left.isZero()) {
                throw new IdUnavailableException(
                        ErrorCode.CLOCK_STANDS_STILL,
                        namespace,
                        "all " + layout.idsPerTick() + " ids of the tick at " + scale.instantOf(highestTick)
                                + " are used, and the clock has not moved for " + Durations.text(limit)
                                + "; check the host's clock",
                        null);
            }
        }
        IssueClock.checkInterrupt(namespace, "the clock to pass " + scale.instantOf(highestTick));
        queue.sleep(window, now + Math.max(1, behind), Math.min(left.toNanos(), longestNanos));
        return wait;
    }

    @Override
    public long tickWaits() {
        return queue.waits();
    }

    @Override
    public long nanosUntil(long tick) {
        return IssueClock.parkNanos(scale, time.millis(), tick, time.nanosToNextMilli());
    }
}
