package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TickScale;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules on the row of a worker id that leases and repairs share, as pure functions. Stores only compare
 * and set.
 */
public class RowRules {
    /**
     * How far above the gap the horizon of a row is raised that another server has granted, or somebody has set back,
     * so that a slow statement is not refused.
     */
    public static final Duration FENCING_MARGIN = Duration.ofSeconds(1);

    private final TickScale scale;
    private final Duration fencingMargin;

    /** Creates the rules for rows of a layout. */
    public RowRules(SnowflakeLayout layout) {
        this(layout, FENCING_MARGIN);
    }

    RowRules(SnowflakeLayout layout, Duration fencingMargin) {
        this.scale = LayoutTime.ticks(layout);
        this.fencingMargin = fencingMargin;
    }

    /** Returns the ticks of the layout. */
    TickScale scale() {
        return scale;
    }

    /**
     * Returns the horizon that fences off a row of another server: above all ticks that the server granted and lost. It
     * adds nothing to a horizon that is far ahead already. Otherwise two servers that answer in turn would raise it
     * without end.
     */
    long fencedOffMillis(long horizonMillis, long nowMillis, long gapMillis) {
        return up(Math.max(horizonMillis, nowMillis + gapMillis + fencingMargin.toMillis()));
    }

    // ---- when a row can be leased ----

    /**
     * Returns whether a process may fence off a row of another server. If no process has leased the row since it was
     * fenced off, its horizon must pass first. Otherwise two servers that answer in turn would fence off each other's
     * rows again and again, and no process would get a lease.
     *
     * @param held whether the row has the token of a process whose lease has expired
     */
    static boolean canFenceOff(boolean held, long horizonMillis, long nowMillis) {
        return held || horizonMillis <= nowMillis;
    }

    /** Returns the time from which on a window that begins now ends after a horizon. */
    long reachedMillis(long horizonMillis, Duration window) {
        return horizonMillis - window.toMillis() + scale.tickMillis() + 1;
    }

    /**
     * Returns the first time, by the store's clock, at which a process can lease a row. This is the present or an
     * earlier time if it can do so now. A process that holds the row is assumed not to renew its lease.
     */
    public long leasableMillis(RowState row) {
        long free = isAlive(row) ? row.heldUntilMillis() + 1 : row.nowMillis();
        if (row.sameServer()) {
            return Math.max(free, reachedMillis(row.horizonMillis(), LeaseTerms.WINDOW));
        }
        long fenced = canFenceOff(row.token() != null, row.horizonMillis(), free) ? free : row.horizonMillis();
        long fencedOff = fencedOffMillis(row.horizonMillis(), fenced, LeaseTerms.GAP.toMillis());
        return Math.max(fenced, reachedMillis(fencedOff, LeaseTerms.WINDOW));
    }

    // ---- holders ----

    /** Returns whether the process that holds a row counts as alive. */
    public static boolean isAlive(RowState row) {
        return row.token() != null && row.heldUntilMillis() >= row.nowMillis();
    }

    /**
     * Returns the lowest horizon of a namespace that gets this layout: no earlier than the present. All ids of the
     * former layout have earlier times, because its horizons have passed. So new ids lie above them, even if the
     * store's clock steps back before the first one.
     */
    public long movedMillis(long nowMillis) {
        return up(nowMillis);
    }

    /** Returns the horizon of a row that its holder leaves: after its last used tick, but not below its first one. */
    long leftMillis(long horizonMillis, long firstTick, long highestTick) {
        return Math.min(horizonMillis, scale.millisOf(Math.max(firstTick, highestTick + 1)));
    }

    // ---- rows that somebody set back ----

    /**
     * A row as a store reads it, to compare it with a lease.
     *
     * @param token the token of the process that holds the row, or null if none does
     * @param fence the row's fence
     * @param horizonMillis the row's horizon
     * @param grantedFromMillis the horizon before the last grant
     * @param server the server that granted the horizon, in words of the store; null if it is unknown
     * @param sameServer whether that server answers now
     * @param generation the row's generation
     */
    public record LeasedRow(
            @Nullable String token,
            long fence,
            long horizonMillis,
            long grantedFromMillis,
            @Nullable String server,
            boolean sameServer,
            long generation) {

        /** Returns whether the row has the token and the fence of a lease. */
        public boolean isHeldBy(Lease lease) {
            return hasTokenOf(lease) && fence == lease.fence();
        }

        private boolean hasTokenOf(Lease lease) {
            return lease.token().equals(token);
        }
    }

    /**
     * Returns whether a row proves that somebody set it back since a lease was granted or extended. Only the server of
     * the lease can prove that: on another one, the last changes may be missing. Each grant raises the fence, the
     * horizon, or both, and begins where the one before ended.
     */
    public static boolean isSetBack(LeasedRow row, Lease lease) {
        if (!row.sameServer()
                || !Objects.equals(row.server(), lease.server())
                || row.generation() > lease.generation()) {
            return false;
        }
        return row.generation() < lease.generation()
                || row.fence() < lease.fence()
                || row.horizonMillis() < lease.horizonMillis()
                || (!row.hasTokenOf(lease)
                        && (row.fence() == lease.fence() || row.grantedFromMillis() < lease.horizonMillis()));
    }

    // ---- ticks ----

    /** Returns the next boundary of a tick. */
    long up(long millis) {
        return scale.millisOf(scale.tickFrom(millis));
    }

    /** Returns the last boundary of a tick, at most the end of the layout. */
    long down(long millis) {
        return scale.millisOf(Math.min(scale.tickAt(millis), scale.lastTick() + 1));
    }
}
