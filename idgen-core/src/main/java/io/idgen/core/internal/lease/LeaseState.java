package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease in a process: everything that safety depends on, and nothing else. Immutable; {@link
 * LeaseProtocol} derives the next state from it.
 *
 * @param phase whether ids may be generated
 * @param releases how many releases are planned and have not run yet; no window opens before they have
 * @param holding the row that this process holds, or null
 * @param doubtfulToken the token of a lease whose last extension took effect unseen: its row may be acquired again by
 *     it; or null
 * @param generation of the row that was acquired last, or {@link #NO_GENERATION} if no window is in use
 */
record LeaseState(
        Phase phase,
        int releases,
        @Nullable Holding holding,
        @Nullable String doubtfulToken,
        long generation) {

    /** No window is in use, so a heal does not concern this process. */
    static final long NO_GENERATION = -1;

    /** A process that has just started. */
    static final LeaseState START = new LeaseState(Phase.OPEN, 0, null, null, NO_GENERATION);

    /** Whether ids may be generated. */
    enum Phase {
        /** The process acquires a row and renews its lease. */
        OPEN,
        /** A checkpoint is being made of the process. */
        SUSPENDED,
        /** The source is closed. */
        CLOSED,
        /** A copy of the process uses the row: no id is generated any more. */
        STOPPED
    }

    /**
     * A row that this process holds.
     *
     * @param lease as the last answer has left it; its horizon is the end of what may be used
     * @param firstTick where this acquisition begins; ticks below are another's
     * @param inUse whether the window in use is made of this row
     * @param uncertain whether an extension was sent whose outcome is unknown
     */
    record Holding(Lease lease, long firstTick, boolean inUse, boolean uncertain) {
        Holding used() {
            return new Holding(lease, firstTick, true, uncertain);
        }

        Holding doubted() {
            return new Holding(lease, firstTick, inUse, true);
        }

        /** After the horizon was raised: an extension sent before can no longer take effect. */
        Holding extendedTo(long horizonMillis) {
            return new Holding(lease.withHorizon(horizonMillis), firstTick, inUse, false);
        }
    }

    /** Whether turns are planned, and what they bring is used. */
    boolean goesOn() {
        return phase == Phase.OPEN && releases == 0;
    }

    /** Whether the row that is held waits to be taken into use. */
    boolean isQueued() {
        return holding != null && !holding.inUse();
    }

    LeaseState in(Phase newPhase) {
        return new LeaseState(newPhase, releases, holding, doubtfulToken, generation);
    }

    LeaseState holding(@Nullable Holding newHolding) {
        return new LeaseState(phase, releases, newHolding, doubtfulToken, generation);
    }

    LeaseState doubting(@Nullable String token) {
        return new LeaseState(phase, releases, holding, token, generation);
    }

    LeaseState releases(int planned) {
        return new LeaseState(phase, planned, holding, doubtfulToken, generation);
    }

    /** After a row of that generation was acquired. */
    LeaseState generation(long acquired) {
        return new LeaseState(phase, releases, holding, doubtfulToken, acquired);
    }

    /** After the window in use and all other ticks that were granted are discarded. */
    LeaseState discarded() {
        return new LeaseState(phase, releases, null, null, NO_GENERATION);
    }
}
