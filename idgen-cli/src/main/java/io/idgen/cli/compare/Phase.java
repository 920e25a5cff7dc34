package io.idgen.cli.compare;

import java.util.Locale;

/**
 * The purpose of a source. Each role has its own name, sequence and worker ids, so that roles do not affect each other.
 */
enum Phase {
    /** Full speed. */
    FULL_SPEED(0),
    /** A fixed rate, from a cold start. */
    PACED(0),
    /** Inserted rows. */
    ROWS(0),
    /** An outage, at the same time as all others. */
    OUTAGE(Plan.MOST_INSTANCES),
    /** A process that is killed. */
    RESTART(2 * Plan.MOST_INSTANCES);

    private final int firstWorker;

    Phase(int firstWorker) {
        this.firstWorker = firstWorker;
    }

    /** Returns the worker id of an instance. Roles that run one after the other may share worker ids. */
    int worker(int instance) {
        return firstWorker + instance;
    }

    /** Returns the name of the source; names of sequences and tables contain it. */
    String source() {
        return name().toLowerCase(Locale.ROOT);
    }
}
