package io.idgen.core;

/** Hears of leases, outages and refills. Called on idgen's own threads, one event after the other for each source. */
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
