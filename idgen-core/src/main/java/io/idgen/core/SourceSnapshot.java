package io.idgen.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A source at one moment, for meters and health checks: reading it takes no lock and does no I/O. Its values are read
 * one after the other, so they may differ by what happened meanwhile. For changes as they happen, see {@link
 * IdgenEvent}.
 *
 * <p>{@link #health} sums it up for a health check.
 */
public interface SourceSnapshot {

    /**
     * Returns whether a call gets an id without waiting for the database, or another dependency of the source.
     *
     * @return false also before the first use
     */
    boolean hasIds();

    /**
     * Returns why the source generates no id any more.
     *
     * @return {@link ErrorCode#SOURCE_CLOSED} after closing; null while the source is open
     */
    @Nullable
    ErrorCode ended();

    /**
     * Returns why the last attempt got nothing from the database, or another dependency of the source, although it
     * answered. Examples are a missing table, a row at its limit, and worker ids that other processes have leased. The
     * source keeps trying while ids are wanted.
     *
     * @return the code of the exception that calls without ids get; null if the last attempt succeeded, or found an
     *     {@link #outage}
     */
    @Nullable
    ErrorCode refused();

    /**
     * Returns the calls that had to wait for the database, or another dependency of the source.
     *
     * @return since the source was opened
     */
    Waits waits();

    /**
     * Returns the outage of the database, or of another dependency of the source.
     *
     * @return null if the last attempt succeeded
     */
    @Nullable
    Outage outage();

    /**
     * Returns how many attempts to renew a lease or to fetch a segment have failed since the source was opened.
     * Refusals are not counted.
     *
     * @return at least 0; only rises
     */
    long failures();

    /**
     * Sums up this snapshot for a health check. The largest value of several sources is the health of all.
     *
     * @return {@link Health#UP} also before the first use
     */
    default Health health() {
        if (ended() != null) {
            return Health.DOWN;
        }
        if (outage() == null && refused() == null) {
            return Health.UP;
        }
        return hasIds() ? Health.DEGRADED : Health.DOWN;
    }

    /** The health of a source, from good to bad. */
    enum Health {
        /** The last attempt to get ids or a lease succeeded, or there was none yet. */
        UP,
        /** The last attempt failed or was refused; ids come from the reserve. */
        DEGRADED,
        /** No call gets an id, until an attempt succeeds. If the source has {@link #ended}, never again. */
        DOWN
    }

    /**
     * Calls that wait or have waited.
     *
     * @param waiting how many wait now
     * @param calls how many have waited, those that wait now included; only rises
     * @param total how long all of them have waited together, without those that wait now; only rises
     */
    record Waits(int waiting, long calls, Duration total) {
        /** No call has waited. */
        public static final Waits NONE = new Waits(0, 0, Duration.ZERO);
    }

    /**
     * Attempts that have failed in a row.
     *
     * @param duration since the first one
     * @param failures how many, at least 1
     * @param cause the message of the last failure
     */
    record Outage(Duration duration, int failures, String cause) {}
}
