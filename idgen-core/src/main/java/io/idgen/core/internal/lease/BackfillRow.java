package io.idgen.core.internal.lease;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The reserved row of a backfill. No lease takes the row. The backfill uses a tick only after it has raised the row's
 * horizon above it by compare-and-set. A backfill that finds the token of another one begins at the row's horizon, so
 * they never use one tick, however long one of them pauses. Not safe for several threads.
 */
public final class BackfillRow {
    private static final System.Logger LOG = System.getLogger(BackfillRow.class.getName());

    /** How far the horizon is raised above a tick, so that sorted rows need few statements. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private static final int ATTEMPTS = 10;

    /** The prefix of the tokens of backfills. */
    private static final String TOKEN = "backfill-";

    private final LeaseStore store;
    private final Terms terms;
    private final LongSupplier nanoTime;
    private final RowRules rules;
    private final TickScale scale;
    private final FixedWorkers.Key key;
    private final long floorTick;

    /** The tokens of statements that were not confirmed; they may have taken effect. */
    private final Set<String> asked = new HashSet<>();

    private RowState mine;
    private boolean unclosed;
    private long highestTick = -1;
    private long confirmedNanos;

    /** The store's time less the monotonic clock, in milliseconds. */
    private long storeMinusNanos;

    /**
     * Reserves the row. Blocks for as long as the store does.
     *
     * @param terms of exactly one worker id
     * @param nanoTime the monotonic clock
     * @throws IdGenerationException if a lease or a reservation of the worker id counts as alive, or the store refuses
     */
    public BackfillRow(LeaseStore store, Terms terms, LongSupplier nanoTime) {
        SnowflakeLayout layout = terms.layout();
        this.store = store;
        this.terms = terms;
        this.nanoTime = nanoTime;
        this.rules = new RowRules(layout);
        this.scale = rules.scale();
        this.key = FixedWorkers.Key.of(terms.namespace(), layout, terms.firstWorkerId());
        this.mine = reserved();
        this.floorTick = scale.tickFrom(mine.horizonMillis());
    }

    /**
     * Returns the first tick that no lease and no earlier backfill can have used, as far as the row knows. Ticks below
     * it are safe only if the user knows which ids exist.
     */
    public long floorTick() {
        return floorTick;
    }

    /** Returns the worker id of the row, with the datacenter id in the upper bits. */
    public int workerId() {
        return terms.firstWorkerId();
    }

    /** Returns whether an earlier backfill was not closed, so that it may still use ticks below {@link #floorTick}. */
    public boolean isAfterUnclosed() {
        return unclosed;
    }

    private RowState reserved() {
        String refused = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long gapMillis = store.candidates(terms, null).gapMillis(); // creates the row if it is missing
            RowState seen = store.state(terms, terms.firstWorkerId()).orElse(null);
            if (seen == null) {
                throw new IdGenerationException(
                        ErrorCode.LAYOUT_MISMATCH,
                        "there is no row of " + key + " with layout " + terms.layout()
                                + "; set the layout that the rows of the namespace have");
            }
            refuseIfHeld(seen);
            if (!seen.sameServer()) {
                long beyond = rules.fencedOffMillis(seen.horizonMillis(), seen.nowMillis(), gapMillis);
                Row row =
                        new Row(terms.firstWorkerId(), seen.fence(), seen.horizonMillis(), false, seen.token() != null);
                refused = store.fenceOff(terms, row, beyond, gapMillis) ? "" : LeaseWait.NotFencedOff.WHY;
            } else {
                long horizon = RowRules.usedUntilMillis(seen, terms.lease(), 0);
                unclosed = seen.token() != null && seen.token().startsWith(TOKEN);
                String token = freshToken();
                long sentNanos = nanoTime.getAsLong();
                if (store.reserve(terms, terms.firstWorkerId(), seen, token, horizon)) {
                    confirmedNanos = sentNanos;
                    storeMinusNanos = seen.nowMillis() - NANOSECONDS.toMillis(sentNanos);
                    return after(seen, token, horizon);
                }
            }
        }
        throw new StoreUnavailableException("the row of " + key + " was not reserved in " + ATTEMPTS + " attempts: "
                + (refused.isEmpty() ? "other processes changed it each time" : "it " + refused));
    }

    private void refuseIfHeld(RowState seen) {
        if (RowRules.isAlive(seen)) {
            throw new IdGenerationException(
                    ErrorCode.RESERVATION_TAKEN,
                    key + " is " + (seen.reserved() ? "reserved" : "leased") + " by another process, " + seen.holder()
                            + ", which counts as alive until " + Instant.ofEpochMilli(seen.heldUntilMillis())
                            + "; give the backfill a worker id that no process has, listed in idgen.worker.reserved of"
                            + " all processes");
        }
    }

    /** Returns a token of a single statement, which a copy of this process does not share. */
    private static String freshToken() {
        return TOKEN + UUID.randomUUID().toString().replace("-", "");
    }

    private RowState after(RowState seen, String token, long horizonMillis) {
        return new RowState(
                seen.nowMillis(),
                seen.fence() + 1,
                horizonMillis,
                true,
                true,
                token,
                seen.nowMillis() + terms.lease().toMillis(),
                "this");
    }

    /**
     * Reserves a tick for this backfill. Usually sends no statement. Blocks for one when the reserved ticks are used
     * up, and to renew the reservation.
     *
     * @throws IllegalArgumentException if the tick is more than a window ahead of the store's time
     * @throws StoreUnavailableException if the store does not answer; then the tick is not reserved
     * @throws IdGenerationException if another process has taken the row
     */
    public void take(long tick) {
        long needed = scale.millisOf(tick + 1);
        boolean fresh = nanoTime.getAsLong() - confirmedNanos
                < terms.lease().dividedBy(3).toNanos();
        while (needed > mine.horizonMillis() || !fresh) {
            raise(needed > mine.horizonMillis() ? ahead(needed) : mine.horizonMillis());
            fresh = true;
        }
        highestTick = Math.max(highestTick, tick);
    }

    /** Returns the horizon to ask for: at most a window ahead of the store's time, as every horizon. */
    private long ahead(long neededMillis) {
        long storeMillis = storeMinusNanos + NANOSECONDS.toMillis(nanoTime.getAsLong());
        long most = rules.down(storeMillis + terms.window().toMillis());
        if (neededMillis > most) {
            throw new IllegalArgumentException(Instant.ofEpochMilli(neededMillis)
                    + " is in the future: the store's clock is at " + Instant.ofEpochMilli(storeMillis)
                    + "; correct this host's clock");
        }
        return Math.min(neededMillis + AHEAD.toMillis(), most);
    }

    private void raise(long horizonMillis) {
        long sentNanos = nanoTime.getAsLong();
        // on another server, the store recognises the holder by the token in the row
        String token = mine.sameServer() || mine.token() == null ? freshToken() : mine.token();
        asked.add(token); // whatever the answer, the change may take effect, now or later
        if (store.reserve(terms, terms.firstWorkerId(), mine, token, horizonMillis)) {
            mine = after(mine, token, horizonMillis);
        } else {
            RowState found = store.state(terms, terms.firstWorkerId()).orElse(null);
            if (found == null || !isMine(found)) {
                throw new IdGenerationException(
                        ErrorCode.RESERVATION_TAKEN,
                        "this backfill has lost " + key + ": "
                                + (found == null ? "its row is gone" : "its row was changed by " + found.holder())
                                + "; end the other process, and continue with the largest id that was written");
            }
            mine = found; // changed by an unanswered statement of this backfill
        }
        asked.clear();
        confirmedNanos = sentNanos;
    }

    private boolean isMine(RowState found) {
        boolean same = found.fence() == mine.fence()
                && found.horizonMillis() == mine.horizonMillis()
                && Objects.equals(found.token(), mine.token());
        boolean unseen = found.token() != null && asked.contains(found.token()) && found.fence() == mine.fence() + 1;
        return found.reserved() && ((same && !found.sameServer()) || unseen);
    }

    /**
     * Leaves the row, so that another backfill need not wait. Lowers the horizon to the tick after the last used one,
     * but not below the first one of this backfill. If an earlier backfill was not closed, the row keeps a token that
     * says so, without a lease.
     */
    public void leave() {
        long horizon = rules.leftMillis(mine.horizonMillis(), floorTick, highestTick);
        try {
            if (unclosed) {
                store.reserve(withoutLease(), terms.firstWorkerId(), mine, freshToken(), horizon);
            } else {
                store.reserve(terms, terms.firstWorkerId(), mine, null, horizon);
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the reservation is kept until it counts as expired", e);
        }
    }

    private Terms withoutLease() {
        return new Terms(
                terms.namespace(),
                terms.layout(),
                terms.firstWorkerId(),
                terms.workers(),
                Duration.ofMillis(-1),
                terms.window());
    }
}
