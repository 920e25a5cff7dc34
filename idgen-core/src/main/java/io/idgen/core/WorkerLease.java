package io.idgen.core;

/** A worker id for as long as it is this generator's, with the window of ticks that it may issue from. */
interface WorkerLease extends AutoCloseable {

    /** What this lease allows to issue; sealed once the lease is over. */
    Window window();

    /** Gives the worker id back; the window is sealed when the last one who shares it does so. */
    @Override
    void close();
}
