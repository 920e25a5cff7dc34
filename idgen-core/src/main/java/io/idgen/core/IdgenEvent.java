package io.idgen.core;

import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.FailureText;
import java.time.Duration;
import java.util.Arrays;

/**
 * A change in the state of a source, for meters, health checks and alerts. Each event is also one line in the log, at
 * the level of its {@link Kind}. For amounts rather than changes, see {@link SourceSnapshot}. Immutable.
 */
public final class IdgenEvent {
    private final Kind kind;
    private final String source;
    private final String format;
    private final Object[] values;

    /** What has changed. A later version may add kinds, so a {@code switch} over them needs a default. */
    public enum Kind {
        /** A worker id was leased, at the start or after a lease was lost. Renewals are not reported. */
        LEASE_ACQUIRED(System.Logger.Level.INFO),
        /** A lease is lost. The text has the reason, and says whether ids continue from the rest of its window. */
        LEASE_LOST(System.Logger.Level.WARNING),
        /** A worker id was given back, by closing or before a checkpoint. Not sent if the store did not accept it. */
        LEASE_RELEASED(System.Logger.Level.INFO),
        /**
         * The database, or another store, has begun to fail: sent at the first of several failures in a row. idgen
         * tries again with growing pauses.
         */
        OUTAGE_BEGAN(System.Logger.Level.WARNING),
        /** The store answers again, possibly with a refusal. */
        OUTAGE_ENDED(System.Logger.Level.INFO),
        /**
         * The ids of a leased worker id no longer follow the time, so that the rest of the window lasts: they are ahead
         * of the store's clock after a takeover or a repair, or the store does not answer.
         */
        CLOCK_HELD(System.Logger.Level.INFO),
        /** Ids follow the time again. */
        CLOCK_RESUMED(System.Logger.Level.INFO),
        /** A segment was fetched. */
        REFILLED(System.Logger.Level.DEBUG),
        /** The clock of this host is behind the last id. At most one event per source in 10 s. */
        CLOCK_BEHIND(System.Logger.Level.WARNING),
        /**
         * The source has stopped for good, because it could repeat ids: its table went back, or a copy of this process
         * uses the same lease ({@link ErrorCode#LEASE_COPIED}). The text begins with the code of the exception that
         * calls get from now on.
         */
        STOPPED(System.Logger.Level.ERROR);

        private final System.Logger.Level level;

        Kind(System.Logger.Level level) {
            this.level = level;
        }

        /**
         * Returns how serious events of this kind are.
         *
         * @return the level of their lines in the log
         */
        public System.Logger.Level level() {
            return level;
        }
    }

    /**
     * Creates an event. Its text is composed when it is read.
     *
     * @param kind what has changed
     * @param source as {@link #source} says
     * @param format the text, with {@code %s} for each value
     * @param values immutable; a failure stands for its message
     */
    public IdgenEvent(Kind kind, String source, String format, Object... values) {
        this.kind = kind;
        this.source = source;
        this.format = format;
        this.values = values;
    }

    /**
     * Returns what has changed.
     *
     * @return the kind, for a {@code switch} and as the name of a meter
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the source of this event.
     *
     * @return the name of the ids; for a snowflake the namespace of its worker id, since several sources may share one
     *     generator
     */
    public String source() {
        return source;
    }

    /**
     * Describes this event in words, with values and units; without the source.
     *
     * @return one sentence, which may change between versions
     */
    public String text() {
        return String.format(format, Arrays.stream(values).map(IdgenEvent::text).toArray());
    }

    private static String text(Object value) {
        if (value instanceof Duration duration) {
            return Durations.text(Duration.ofMillis(duration.toMillis()));
        }
        return value instanceof Throwable failure ? FailureText.of(failure) : value.toString();
    }

    @Override
    public String toString() {
        return kind + " of " + source + ": " + text();
    }
}
