package io.idgen.core.internal.time;

import java.time.Clock;
import java.time.Duration;

/**
 * A wall clock whose forward steps take effect with a delay. A reading counts as a step if it is more than {@link
 * #LEAP} ahead of the last accepted reading plus the monotonic time since then. It is accepted after it has lasted for
 * {@link #LASTING}; until then the time continues from the last accepted reading. So a clock that is set wrong and soon
 * corrected does not affect ids, and a virtual machine that slept has the right time after ten seconds. Backward steps
 * pass: the clock policy handles them.
 */
public final class CautiousTime implements TimeSource {
    static final Duration LEAP = Duration.ofSeconds(5);
    static final Duration LASTING = Duration.ofSeconds(10);

    private static final AsyncLog LOG = AsyncLog.of(CautiousTime.class);
    private static final long LEAP_MILLIS = LEAP.toMillis();

    /** This host's clock. */
    public static final TimeSource SYSTEM = new CautiousTime(new ClockTime(Clock.systemUTC()));

    private final TimeSource source;
    private volatile Belief belief;

    public CautiousTime(TimeSource source) {
        this.source = source;
        this.belief = new Belief(source.millis(), source.nanoTime(), false, 0);
    }

    /** The last accepted reading, its monotonic time, and since when readings are a step ahead of it. */
    private record Belief(long millis, long nanos, boolean leaping, long leapNanos) {}

    @Override
    public long millis() {
        long reading = source.millis();
        Belief last = belief;
        // The monotonic clock is read a few times in a second, not for each id.
        return !last.leaping && reading - last.millis <= LEAP_MILLIS / 2 ? reading : weigh(reading, last);
    }

    private long weigh(long reading, Belief last) {
        long nanos = source.nanoTime();
        long expected = last.millis + (nanos - last.nanos) / 1_000_000;
        if (reading <= expected + LEAP_MILLIS) {
            belief = new Belief(reading, nanos, false, 0);
            return reading;
        }
        if (!last.leaping) {
            belief = new Belief(last.millis, last.nanos, true, nanos);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the clock leapt ahead by {0}; not believed until it has lasted for {1}",
                    Durations.text(Duration.ofMillis(reading - expected)),
                    Durations.text(LASTING));
            return expected;
        }
        if (nanos - last.leapNanos >= LASTING.toNanos()) {
            belief = new Belief(reading, nanos, false, 0);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the clock is still ahead by {0} and believed from now on",
                    Durations.text(Duration.ofMillis(reading - expected)));
            return reading;
        }
        return expected;
    }

    @Override
    public long nanoTime() {
        return source.nanoTime();
    }

    @Override
    public long nanosToNextMilli() {
        return source.nanosToNextMilli();
    }

    @Override
    public void park(long nanos) {
        source.park(nanos);
    }
}
