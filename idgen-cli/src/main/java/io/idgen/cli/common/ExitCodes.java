package io.idgen.cli.common;

/** The exit codes of the command. */
public final class ExitCodes {

    /** {@value}: success, and nothing is wrong. */
    public static final int OK = 0;

    /** {@value}: the command succeeded and found a problem: a duplicate, a missing table, a wrong clock. */
    public static final int FOUND = 1;

    /**
     * {@value}: the input was bad, and nothing was done: an option, an id, a file, or a database that does not answer.
     */
    public static final int BAD_INPUT = 2;

    /** {@value}: internal error, which is a bug. */
    public static final int FAILED = 3;

    private ExitCodes() {}
}
