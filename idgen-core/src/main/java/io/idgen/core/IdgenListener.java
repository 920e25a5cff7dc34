package io.idgen.core;

/**
 * Hears of leases, outages, refills and clocks; handed to the builders of sources, or to {@link IdSources} as the resource
 * {@code IdgenListener.class}. Called on idgen's own threads, one event after the other for each source; of a clock that is
 * behind by the call that finds it so.
 */
@FunctionalInterface
public interface IdgenListener {

    /** Hears nothing. */
    IdgenListener NONE = event -> {};

    /**
     * Something has happened. Must return soon: the next renewal or refill waits for it. What it throws is logged and has no
     * other effect.
     *
     * @param event what
     */
    void happened(IdgenEvent event);
}
