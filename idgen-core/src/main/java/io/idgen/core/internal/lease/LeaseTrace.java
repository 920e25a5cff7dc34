package io.idgen.core.internal.lease;

/**
 * Receives what a lease sees, decides and uses, in this order: each event with the step that follows, each window, and
 * each other change of the state. A checker replays the protocol over it. Calls are not concurrent.
 */
interface LeaseTrace {
    /** Records nothing. */
    LeaseTrace OFF = entry -> {};

    /**
     * Records an entry.
     *
     * @param entry an event, a step, a state, or one of the records below
     */
    void add(Object entry);

    /**
     * A window of the held row replaces a sealed one.
     *
     * @param highestTick the last tick in the ids of the sealed window
     * @param workerId the worker id of the new window
     * @param lastTick its last tick
     */
    record WindowOpened(long highestTick, int workerId, long lastTick) {}

    /**
     * The process begins to release its row.
     *
     * @param highestTick the last tick that its ids have used
     */
    record Releasing(long highestTick) {}
}
