package io.idgen.cli.compare.database;

import java.util.Locale;

/**
 * A phase of the comparison. Its sources have their own name, sequence and worker ids, so that phases do not affect
 * each other.
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

    /** The largest number of instances: all phases have enough worker ids for these. */
    public static final int MOST_INSTANCES = 8;

    private final int firstWorker;

    Phase(int firstWorker) {
        this.firstWorker = firstWorker;
    }

    /** Returns the worker id of an instance. Phases that run one after the other may share worker ids. */
    public int worker(int instance) {
        return firstWorker + instance;
    }

    /** Returns the name of its sources; names of sequences and tables contain it. */
    public String source() {
        return name().toLowerCase(Locale.ROOT);
    }
}
