package io.idgen.core.internal.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of an event.
 *
 * @param state the new state of the process
 * @param command the next statement to the store, or null if the turn is over
 * @param pause the time until the next turn, if this one is over
 * @param notice what has changed
 * @param waitsFor the reason for calls that get no id in time although the store answers; or null
 */
record LeaseStep(
        LeaseState state,
        @Nullable LeaseCommand command,
        Duration pause,
        Notice notice,
        @Nullable LeaseWait waitsFor) {

    /** A change that events and log lines report. */
    enum Notice {
        /** There is nothing to report. */
        NONE,
        /** A row is leased. */
        ACQUIRED,
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
        /** Somebody set the row back under its lease. It has its horizon again. */
        RAISED,
        /** Somebody set rows back, and they are healed. All granted ticks are discarded. */
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

    /** Returns the same step with a reason for calls that get no id in time. */
    LeaseStep waitingFor(LeaseWait reason) {
        return new LeaseStep(state, command, pause, notice, reason);
    }
}
