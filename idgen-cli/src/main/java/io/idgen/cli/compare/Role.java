package io.idgen.cli.compare;

import java.util.Locale;

/** What a source is opened for. Each role has a name, a sequence and worker ids of its own, so that none disturbs another. */
enum Role {
    /** As fast as it goes. */
    FULL_SPEED(0),
    /** At a fixed rate, from a cold start. */
    PACED(0),
    /** For the rows that are inserted. */
    ROWS(0),
    /** While the database is taken away, at the same time as all others. */
    OUTAGE(Plan.MOST_INSTANCES),
    /** In a process that is killed. */
    RESTART(2 * Plan.MOST_INSTANCES);

    private final int firstWorker;

    Role(int firstWorker) {
        this.firstWorker = firstWorker;
    }

    /** The worker id of an instance. Roles that come one after the other may share theirs. */
    int worker(int instance) {
        return firstWorker + instance;
    }

    /** What the source is called, and what names of sequences and tables contain. */
    String source() {
        return name().toLowerCase(Locale.ROOT);
    }
}
