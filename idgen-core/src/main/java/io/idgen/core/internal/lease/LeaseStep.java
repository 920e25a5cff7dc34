package io.idgen.core.internal.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What follows from an event.
 *
 * @param state what the process knows now
 * @param command what it asks the store next, or null if the turn is over
 * @param pause until the next turn, if this one is over
 * @param notice what has changed
 * @param waitsFor what calls that get no id in time are told, if the store has answered; or null
 */
record LeaseStep(
        LeaseState state,
        @Nullable LeaseCommand command,
        Duration pause,
        Notice notice,
        @Nullable String waitsFor) {

    /** What a step has changed, for those who watch. */
    enum Notice {
        /** Nothing to report. */
        NONE,
        /** A row is leased. */
        ACQUIRED,
        /** All rows are leased by others. */
        ALL_TAKEN,
        /** The lease is lost: the row does not exist. */
        ROW_GONE,
        /** The lease is lost: another process holds the row. */
        ROW_TAKEN,
        /** The lease is lost: another server answers. */
        OTHER_SERVER,
        /** The lease is given up: an extension whose answer was lost has taken effect. */
        EXTENDED_UNSEEN,
        /** The row changed under its lease: a copy of this process runs. */
        COPIED,
        /** Somebody set the row back under its lease; it has its horizon again. */
        RAISED,
        /** Somebody set rows back, and they are healed: all that was granted is discarded. */
        DISCARDED
    }

    static LeaseStep send(LeaseState state, LeaseCommand command) {
        return new LeaseStep(state, command, Duration.ZERO, Notice.NONE, null);
    }

    static LeaseStep rest(LeaseState state, Duration pause) {
        return rest(state, pause, Notice.NONE);
    }

    static LeaseStep rest(LeaseState state, Duration pause, Notice notice) {
        return new LeaseStep(state, null, pause, notice, null);
    }

    /** The same, and what calls that get no id in time are told. */
    LeaseStep waitingFor(String text) {
        return new LeaseStep(state, command, pause, notice, text);
    }
}
