package io.idgen.core;

/**
 * Something that an operator may want to count or to be woken by. Each is a line in the log as well.
 *
 * @param kind what has happened
 * @param source the namespace of worker ids, or the name of the ids
 * @param text the same in words, with values and units
 */
public record IdgenEvent(Kind kind, String source, String text) {
    private static final System.Logger LOG = System.getLogger(IdgenEvent.class.getName());

    /** Has it heard. */
    void tell(IdgenListener listener) {
        try {
            listener.happened(this);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
        }
    }

    /** What has happened. */
    public enum Kind {
        /** A worker id was leased. */
        LEASE_ACQUIRED,
        /** A lease is gone; ids go on in what is left of its window. */
        LEASE_LOST,
        /** A worker id was given back. */
        LEASE_RELEASED,
        /** A copy of this process holds the same lease, or its row was edited; no more ids. */
        LEASE_COPIED,
        /** What gives leases or ids fails; ids come from what is in hand. */
        OUTAGE_BEGAN,
        /** It answers again. */
        OUTAGE_ENDED,
        /** Ids no longer follow the time, so that what is in hand lasts. */
        DENSE_BEGAN,
        /** Ids follow the time again. */
        DENSE_ENDED,
        /** A run of ids was fetched. */
        REFILLED,
        /** The clock of this host is behind the last id, and callers wait for it. */
        CLOCK_BEHIND,
        /** The source refuses for good. */
        STOPPED
    }
}
