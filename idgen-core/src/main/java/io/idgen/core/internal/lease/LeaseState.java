package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.Lease;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease in a process. It contains everything that safety depends on, and nothing else. Immutable; {@link
 * LeaseProtocol} derives the next state from it.
 *
 * @param phase whether ids may be generated
 * @param releases how many releases are planned and have not run yet; until they have, no window opens
 * @param holding the row that this process holds, or null
 * @param doubtfulToken the token of a lease with an extension that took effect unseen, or null; the row may be acquired
 *     again with it
 * @param generation the generation of the row that was acquired last, or {@link #NO_GENERATION} if no window is in use
 */
record LeaseState(
        LeasePhase phase,
        int releases,
        @Nullable Holding holding,
        @Nullable String doubtfulToken,
        long generation) {

    /** No window is in use, so a heal does not concern this process. */
    static final long NO_GENERATION = -1;

    /** A process that has just started. */
    static final LeaseState START = new LeaseState(LeasePhase.OPEN, 0, null, null, NO_GENERATION);

    /** Whether ids may be generated. */
    enum LeasePhase {
        /** The process acquires a row and renews its lease. */
        OPEN,
        /** A checkpoint of the process is under way. */
        SUSPENDED,
        /** The source is closed. */
        CLOSED,
        /** A copy of the process uses the row, so no id is generated any more. */
        STOPPED
    }

    /**
     * A row that this process holds.
     *
     * @param lease the lease as the last answer left it; its horizon is the end of the usable ticks
     * @param firstTick the first tick of this acquisition; ticks below belong to other holders
     * @param inUse whether the window in use belongs to this row
     * @param asked the horizons of extensions that may have taken effect although their answers did not say so: they
     *     were lost, or a layer sent the statement twice and the second answer was a refusal
     */
    record Holding(Lease lease, long firstTick, boolean inUse, Set<Long> asked) {
        Holding used() {
            return new Holding(lease, firstTick, true, asked);
        }

        Holding asking(long horizonMillis) {
            Set<Long> more = new TreeSet<>(asked);
            more.add(horizonMillis);
            return new Holding(lease, firstTick, inUse, Collections.unmodifiableSet(more));
        }

        /**
         * Returns the holding after the horizon was raised: an extension that was sent before can no longer take
         * effect.
         */
        Holding extendedTo(long horizonMillis) {
            return new Holding(lease.withHorizon(horizonMillis), firstTick, inUse, Set.of());
        }
    }

    /** Returns whether more turns are planned. Otherwise the results of a turn are ignored. */
    boolean goesOn() {
        return phase == LeasePhase.OPEN && releases == 0;
    }

    LeaseState in(LeasePhase newPhase) {
        return new LeaseState(newPhase, releases, holding, doubtfulToken, generation);
    }

    LeaseState holding(@Nullable Holding newHolding) {
        return new LeaseState(phase, releases, newHolding, doubtfulToken, generation);
    }

    LeaseState doubting(@Nullable String token) {
        return new LeaseState(phase, releases, holding, token, generation);
    }

    /**
     * Returns the state of a process that closes its source, or prepares for a checkpoint; a release is planned. The
     * caller ends the window in use under the same lock.
     */
    LeaseState leaving(LeasePhase newPhase) {
        return new LeaseState(
                phase == LeasePhase.STOPPED ? phase : newPhase, releases + 1, holding, doubtfulToken, generation);
    }

    /** Returns the state after a planned release has run, with any outcome. */
    LeaseState left() {
        return new LeaseState(phase, releases - 1, holding, doubtfulToken, generation);
    }

    /** Returns the state of a process that continues after a checkpoint. */
    LeaseState resumed() {
        return phase == LeasePhase.SUSPENDED ? in(LeasePhase.OPEN) : this;
    }

    /** Returns the state after a row of this generation was acquired. */
    LeaseState generation(long acquired) {
        return new LeaseState(phase, releases, holding, doubtfulToken, acquired);
    }

    /** Returns the state after the window in use and all other granted ticks are discarded. */
    LeaseState discarded() {
        return new LeaseState(phase, releases, null, null, NO_GENERATION);
    }
}
