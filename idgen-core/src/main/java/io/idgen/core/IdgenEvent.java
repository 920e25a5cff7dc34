package io.idgen.core;

/**
 * A state change that an operator may want to count or to be alerted by. Each event is also a line in the log, at the level that
 * its {@link Kind} names.
 *
 * @param kind what has happened
 * @param source the name of the ids, or for a snowflake the namespace of its worker id
 * @param text the same in words, with values and units
 */
public record IdgenEvent(Kind kind, String source, String text) {

    /** What has happened. */
    public enum Kind {
        /** A worker id was leased. INFO. */
        LEASE_ACQUIRED(System.Logger.Level.INFO),
        /** A lease is lost; ids continue from the rest of its window. WARNING. */
        LEASE_LOST(System.Logger.Level.WARNING),
        /** A worker id was given back. INFO. */
        LEASE_RELEASED(System.Logger.Level.INFO),
        /** A copy of this process holds the same lease, or its row was edited; no more ids. ERROR. */
        LEASE_COPIED(System.Logger.Level.ERROR),
        /** The database, or another store of leases or ids, fails. WARNING. */
        OUTAGE_BEGAN(System.Logger.Level.WARNING),
        /** It answers again. INFO. */
        OUTAGE_ENDED(System.Logger.Level.INFO),
        /** Ids no longer follow the time, so that the rest of the window lasts. INFO. */
        STRETCHING_BEGAN(System.Logger.Level.INFO),
        /** Ids follow the time again. INFO. */
        STRETCHING_ENDED(System.Logger.Level.INFO),
        /** A segment was fetched. DEBUG. */
        REFILLED(System.Logger.Level.DEBUG),
        /** The clock of this host is behind the last id. At most one event per source in 10 s. WARNING. */
        CLOCK_BEHIND(System.Logger.Level.WARNING),
        /** The source refuses for good. ERROR. */
        STOPPED(System.Logger.Level.ERROR);

        private final System.Logger.Level level;

        Kind(System.Logger.Level level) {
            this.level = level;
        }

        /**
         * The level of its line in the log.
         *
         * @return a level
         */
        public System.Logger.Level level() {
            return level;
        }
    }
}
