package io.idgen.cli.compare.database;

import java.util.Locale;

/**
 * The purpose of a source. Each role has its own name, sequence and worker ids, so that roles do not affect each other.
 */
public enum Phase {
    /** Full speed. */
    FULL_SPEED(0),
    /** A fixed rate, from a cold start. */
    PACED(0),
    /** Inserted rows. */
    ROWS(0),
    /** An outage, at the same time as all others. */
    OUTAGE(Phase.MOST_INSTANCES),
    /** A process that is killed. */
    RESTART(2 * Phase.MOST_INSTANCES);

    /** The largest number of instances: all roles have enough worker ids for these. */
    public static final int MOST_INSTANCES = 8;

    private final int firstWorker;

    Phase(int firstWorker) {
        this.firstWorker = firstWorker;
    }

    /** Returns the worker id of an instance. Roles that run one after the other may share worker ids. */
    public int worker(int instance) {
        return firstWorker + instance;
    }

    /** Returns the name of the source; names of sequences and tables contain it. */
    public String source() {
        return name().toLowerCase(Locale.ROOT);
    }
}
