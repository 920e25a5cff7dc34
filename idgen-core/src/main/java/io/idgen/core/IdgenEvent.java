package io.idgen.core;

import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.FailureText;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * A change in the state of a source, as a value for meters, health checks and alerts. Each event is also one line in
 * the log, at the level that its {@link Kind} names.
 *
 * <p>Events are immutable, and none of their components is null. A later version may add events, so a {@code switch}
 * over them needs a default. For amounts rather than changes, see {@link SourceSnapshot}.
 */
public sealed interface IdgenEvent {

    /**
     * Returns the kind of this event. It identifies the event's class, for a {@code switch} and as the name of a meter.
     *
     * @return one kind for each class
     */
    default Kind kind() {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.type.isInstance(this))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the source of this event.
     *
     * @return the name of the ids; for a snowflake the namespace of its worker id, since several sources may share one
     *     generator
     */
    String source();

    /**
     * Describes this event in words, with values and units; without the source.
     *
     * @return one sentence, which may change between versions
     */
    String text();

    /** The classes of events. */
    enum Kind {
        /** {@link LeaseAcquired}. INFO. */
        LEASE_ACQUIRED(LeaseAcquired.class),
        /** {@link LeaseLost}. WARNING. */
        LEASE_LOST(LeaseLost.class),
        /** {@link LeaseReleased}. INFO. */
        LEASE_RELEASED(LeaseReleased.class),
        /** {@link OutageBegan}. WARNING. */
        OUTAGE_BEGAN(OutageBegan.class),
        /** {@link OutageEnded}. INFO. */
        OUTAGE_ENDED(OutageEnded.class),
        /** {@link ClockHeld}. INFO. */
        CLOCK_HELD(ClockHeld.class),
        /** {@link ClockResumed}. INFO. */
        CLOCK_RESUMED(ClockResumed.class),
        /** {@link Refilled}. DEBUG. */
        REFILLED(Refilled.class),
        /** {@link ClockBehind}. WARNING. */
        CLOCK_BEHIND(ClockBehind.class),
        /** {@link Stopped}. ERROR. */
        STOPPED(Stopped.class);

        private final Class<? extends IdgenEvent> type;

        Kind(Class<? extends IdgenEvent> type) {
            this.type = type;
        }
    }

    /** A task for which a source calls its database, or another store. */
    enum Activity {
        /** Leasing a worker id and renewing the lease. */
        LEASE("leasing a worker id or renewing its lease"),
        /** Fetching a segment of ids. */
        REFILL("fetching a segment");

        private final String text;

        Activity(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * A worker id was leased, at the start or after a lease was lost. Renewals are not reported.
     *
     * @param source the namespace within which the worker id is unique
     * @param datacenterId 0 if the layout has none
     * @param workerId within the datacenter
     * @param rowId the worker id as the table of worker ids has it: with the datacenter id in the upper bits
     * @param begin the time in the first id of this lease
     * @param horizon the time in the last id, exclusive, until a renewal moves it
     * @param leasedUntil by the store's clock, until a renewal moves it
     */
    record LeaseAcquired(
            String source,
            int datacenterId,
            int workerId,
            int rowId,
            Instant begin,
            Instant horizon,
            Instant leasedUntil)
            implements IdgenEvent {
        @Override
        public String text() {
            return rowText(rowId, datacenterId, workerId) + " is leased until " + leasedUntil + ", for ids from "
                    + begin + " to " + horizon;
        }
    }

    /**
     * A lease is lost. Ids continue from the rest of its window, and another worker id is leased.
     *
     * @param source the namespace within which the worker id is unique
     * @param datacenterId 0 if the layout has none
     * @param workerId within the datacenter
     * @param rowId the worker id as the table of worker ids has it: with the datacenter id in the upper bits
     * @param reason why
     * @param horizon the time in the last id of the window, exclusive
     */
    record LeaseLost(String source, int datacenterId, int workerId, int rowId, Reason reason, Instant horizon)
            implements IdgenEvent {

        /** Why a lease is lost. */
        public enum Reason {
            /** The store has no row for the worker id. */
            ROW_GONE("its row is gone"),
            /** Another process has leased the worker id. */
            ROW_TAKEN("another process has its row"),
            /** Another server answers than the one that granted the lease, as after a failover. */
            OTHER_SERVER("another server answers"),
            /** A renewal took effect, but its answer never arrived. */
            EXTENDED_UNSEEN("a renewal whose answer was lost has taken effect"),
            /**
             * Somebody set rows of the namespace back, as by a restore. Other processes may have been granted ticks of
             * the window, so it is discarded.
             */
            SET_BACK("rows of the namespace were set back");

            private final String text;

            Reason(String text) {
                this.text = text;
            }

            @Override
            public String toString() {
                return text;
            }
        }

        @Override
        public String text() {
            return "the lease of " + rowText(rowId, datacenterId, workerId) + " is lost (" + reason
                    + (reason == Reason.SET_BACK
                            ? "); the rest of its window, to " + horizon + ", is discarded"
                            : "); ids continue from the rest of its window, to " + horizon)
                    + ", and another worker id is leased";
        }
    }

    /**
     * A worker id was given back, by closing or before a checkpoint. Not sent if the store did not accept it.
     *
     * @param source the namespace within which the worker id is unique
     * @param datacenterId 0 if the layout has none
     * @param workerId within the datacenter
     * @param rowId the worker id as the table of worker ids has it: with the datacenter id in the upper bits
     */
    record LeaseReleased(String source, int datacenterId, int workerId, int rowId) implements IdgenEvent {
        @Override
        public String text() {
            return rowText(rowId, datacenterId, workerId) + " is released";
        }
    }

    /**
     * The database, or another store, has begun to fail: sent at the first of several failures in a row. idgen tries
     * again with growing pauses.
     *
     * @param source as {@link IdgenEvent#source} says
     * @param activity what failed
     * @param idsLeft whether ids remain; otherwise there are none until the store answers
     * @param cause what the first attempt threw
     */
    record OutageBegan(String source, Activity activity, boolean idsLeft, Throwable cause) implements IdgenEvent {
        @Override
        public String text() {
            return activity + " failed and is tried again; "
                    + (idsLeft ? "remaining ids are still served" : "there are no ids until it succeeds") + ": "
                    + FailureText.of(cause);
        }
    }

    /**
     * The store answers again, possibly with a refusal.
     *
     * @param source as {@link IdgenEvent#source} says
     * @param activity what failed
     * @param duration from the first failure to the answer
     * @param failures how many attempts failed, at least 1
     */
    record OutageEnded(String source, Activity activity, Duration duration, int failures) implements IdgenEvent {
        @Override
        public String text() {
            return "the store answers again: " + activity + " failed " + failures + (failures == 1 ? " time" : " times")
                    + " in " + Durations.text(wholeMillis(duration));
        }
    }

    /**
     * The ids of a leased worker id no longer follow the time, so that the rest of the window lasts: they are ahead of
     * the store's clock after a takeover or a repair, or the store does not answer.
     *
     * @param source the namespace within which the worker id is unique
     */
    record ClockHeld(String source) implements IdgenEvent {
        @Override
        public String text() {
            return "ids are ahead of the store's clock, as after a takeover or a repair, or the store does not answer, so the"
                    + " time in ids rises more slowly until then; ids stay unique, and no action is needed";
        }
    }

    /**
     * Ids follow the time again.
     *
     * @param source the namespace within which the worker id is unique
     * @param duration for how long they did not
     */
    record ClockResumed(String source, Duration duration) implements IdgenEvent {
        @Override
        public String text() {
            return "ids follow the time again, after " + Durations.text(wholeMillis(duration));
        }
    }

    /**
     * A segment was fetched.
     *
     * @param source the name of the ids
     * @param first its first id
     * @param last its last id
     * @param count how many ids it has, at least 1; their distance may be above 1
     * @param took how long the allocator took, without failed attempts before
     */
    record Refilled(String source, long first, long last, int count, Duration took) implements IdgenEvent {
        @Override
        public String text() {
            return count + " ids from " + first + " to " + last + " in " + Durations.text(wholeMillis(took));
        }
    }

    /**
     * The clock of this host is behind the last id. At most one event per source in 10 s.
     *
     * @param source the namespace within which the worker id is unique
     * @param datacenterId 0 if the layout has none
     * @param workerId within the datacenter
     * @param clock what the clock shows
     * @param lastId the time in the last id
     */
    record ClockBehind(String source, int datacenterId, int workerId, Instant clock, Instant lastId)
            implements IdgenEvent {
        @Override
        public String text() {
            return "the clock is at " + clock + ", and the last id of " + workerText(datacenterId, workerId) + " at "
                    + lastId;
        }
    }

    /**
     * The source has stopped for good, because it could repeat ids: its table went back, or a copy of this
     * process uses the same lease ({@link ErrorCode#LEASE_COPIED}).
     *
     * @param source as {@link IdgenEvent#source} says
     * @param cause the exception that calls get from now on; its code identifies the case
     */
    record Stopped(String source, IdGenerationException cause) implements IdgenEvent {
        @Override
        public String text() {
            return String.valueOf(cause.getMessage());
        }
    }

    private static String rowText(int rowId, int datacenterId, int workerId) {
        return "worker id " + rowId
                + (datacenterId == 0 ? "" : " (datacenter " + datacenterId + ", worker " + workerId + ")");
    }

    private static String workerText(int datacenterId, int workerId) {
        return datacenterId == 0 ? "worker id " + workerId : "datacenter " + datacenterId + ", worker " + workerId;
    }

    private static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(duration.toMillis());
    }
}
