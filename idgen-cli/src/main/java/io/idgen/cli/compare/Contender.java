package io.idgen.cli.compare;

import io.idgen.core.IdgenListener;

/** One way to make keys, as the comparison knows it. */
interface Contender {

    /** What the report calls it. */
    String name();

    /** What its keys are. */
    Family family();

    /** How it is set up here, in a few words. */
    String what();

    /** Why it cannot run on a database; empty if it can. */
    default String unfitFor(Product product) {
        return "";
    }

    /** Opens an instance; its first key may still have to wait for something. */
    Keys open(Opening opening);

    /**
     * What an instance is opened with.
     *
     * @param route the way to the database
     * @param role what for
     * @param instance from 0
     * @param instances how many there are
     * @param listener hears of refills and leases
     */
    record Opening(Route route, Role role, int instance, int instances, IdgenListener listener) {}
}
