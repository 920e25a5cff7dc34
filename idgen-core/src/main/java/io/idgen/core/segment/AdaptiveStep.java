package io.idgen.core.segment;

import java.time.Duration;

/**
 * How many ids the next refill asks for: as many as go out while the reserve lasts and the refill takes, so that a
 * database that is away for that long is not noticed. Changes by a factor of two at most from one refill to the next,
 * since one burst is no trend. Not for several threads.
 *
 * <p>Leaf's idea, which doubles a segment that lasted less than a quarter of an hour, with a measured rate in place of
 * the quarter of an hour and a clock that does not step.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf</a>
 */
final class AdaptiveStep {
    // The newest segment counts as much as all before it together.
    private static final double NEWEST = 0.5;

    // The slowest refill is forgotten by a tenth with each later one: a maximum that fades stands in for the 99th
    // percentile.
    private static final double FADING = 0.9;

    // A crash loses up to two steps: never more than a fiftieth of what is left below the limit.
    private static final int SHARE_OF_THE_REST = 100;

    private final int least;
    private final int most;
    private final double reserveNanos;
    private int step;
    private double idsPerNano;
    private double slowestNanos;

    AdaptiveStep(int first, int least, int most, Duration reserve) {
        this.step = first;
        this.least = least;
        this.most = most;
        this.reserveNanos = reserve.toNanos();
    }

    /** How many ids to ask for, when so many are left below the limit. */
    int wanted(long left) {
        return (int) Math.max(Math.min(step, left / SHARE_OF_THE_REST), Math.min(step, least));
    }

    /** A segment of so many ids lasted so long. */
    void usedUp(int count, long nanos) {
        double rate = count / (double) Math.max(1, nanos);
        idsPerNano = idsPerNano == 0 ? rate : NEWEST * rate + (1 - NEWEST) * idsPerNano;
        double target = idsPerNano * (reserveNanos + slowestNanos);
        double within = Math.max(step / 2.0, Math.min(step * 2.0, target));
        step = (int) Math.max(least, Math.min(most, within));
    }

    /** A refill took so long. */
    void answeredAfter(long nanos) {
        slowestNanos = Math.max(nanos, slowestNanos * FADING);
    }
}
