package io.idgen.jdbc.testing;

/** A database server whose port and files remain when it stops. */
interface ServerProcess {
    /** Returns when it answers. */
    void start();

    /** In order; nothing to do if it does not run. */
    void stop();

    long pid();

    /** Deletes its files. It must not run. */
    void delete();
}
