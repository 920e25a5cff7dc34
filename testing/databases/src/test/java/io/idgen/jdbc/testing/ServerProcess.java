package io.idgen.jdbc.testing;

/** A database server whose port and files remain when it stops. */
interface ServerProcess {
    /** Starts the server; returns when it answers. */
    void start();

    /** Shuts the server down cleanly; has no effect if it does not run. */
    void stop();

    long pid();

    /** Deletes the files of the server, which must be stopped. */
    void delete();
}
