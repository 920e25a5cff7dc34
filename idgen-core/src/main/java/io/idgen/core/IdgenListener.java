package io.idgen.core;

/**
 * Receives events: leases, outages, refills and clocks. Hand it to the builder of a source, or to {@link
 * io.idgen.core.config.IdSources} as the resource {@code IdgenListener.class}.
 */
@FunctionalInterface
public interface IdgenListener {

    /** Ignores all events. */
    IdgenListener NONE = event -> {};

    /**
     * Receives an event, on a daemon thread of idgen. Events of one source arrive one after the other, those of several
     * sources at the same time. A listener that blocks delays only its own events. When 256 of them wait, further ones
     * are dropped, and the log reports how many. Anything that the listener throws is logged and has no other effect.
     *
     * @param event what has happened
     */
    void onEvent(IdgenEvent event);
}
