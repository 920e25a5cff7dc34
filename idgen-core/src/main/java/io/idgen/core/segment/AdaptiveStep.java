package io.idgen.core.segment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many ids the next refill requests: the present demand during the reserve and a refill, so that an outage
 * of that length has no effect. Changes by at most a factor of two from one refill to the next, because one burst is
 * not a trend. Not safe for several threads.
 *
 * <p>The idea is Leaf's, which doubles a segment that lasted less than a quarter of an hour. Here a measured rate and
 * the monotonic clock replace the quarter of an hour.
 *
 * @see <a href="https://tech.meituan.com/2017/04/21/mt-leaf.html">Leaf</a>
 */
final class AdaptiveStep {
    // The newest segment has the same weight as all earlier ones together.
    private static final double NEWEST = 0.5;

    // The longest refill time decays by a tenth with each refill: a decaying maximum approximates the 99th percentile.
    private static final double FADING = 0.9;

    // A crash loses up to two steps: never more than a fiftieth of what is left below the limit.
    private static final int SHARE_OF_THE_REST = 100;

    private static final int LARGEST = 10_000_000;

    private final int least;
    private final int most;
    private final double reserveNanos;
    private int step;
    private double idsPerNano;
    private double slowestNanos;

    /**
     * Creates a step.
     *
     * @param least the first one; no later one is smaller
     * @param most null for the usual largest step
     */
    AdaptiveStep(int least, @Nullable Integer most, Duration reserve) {
        this.step = least;
        this.least = least;
        this.most = most == null ? Math.max(least, LARGEST) : most;
        this.reserveNanos = reserve.toNanos();
        if (least > this.most) {
            throw new IllegalArgumentException("the step is at most the largest one, got " + least + " > " + most);
        }
    }

    /** Returns the largest number of ids to request. */
    int most() {
        return most;
    }

    /** Returns how many ids to request, if {@code left} ids are left below the limit. */
    int wanted(long left) {
        return (int) Math.max(Math.min(step, left / SHARE_OF_THE_REST), least);
    }

    /** Records how long a segment lasted. */
    void usedUp(int count, long nanos) {
        double rate = count / (double) Math.max(1, nanos);
        idsPerNano = idsPerNano == 0 ? rate : NEWEST * rate + (1 - NEWEST) * idsPerNano;
        double target = idsPerNano * (reserveNanos + slowestNanos);
        double within = Math.max(step / 2.0, Math.min(step * 2.0, target));
        step = (int) Math.max(least, Math.min(most, within));
    }

    /** Records how long a refill took. */
    void answeredAfter(long nanos) {
        slowestNanos = Math.max(nanos, slowestNanos * FADING);
    }
}
