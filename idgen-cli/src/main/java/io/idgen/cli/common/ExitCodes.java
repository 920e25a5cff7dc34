package io.idgen.cli.common;

/** How the command ends: what a script looks at. */
public final class ExitCodes {

    /** {@value}: done, and nothing is wrong. */
    public static final int OK = 0;

    /** {@value}: done, and what was looked at is wrong: a duplicate, a missing table, a clock that is off. */
    public static final int FOUND = 1;

    /** {@value}: nothing was done, because of what was given: an option, an id, a file, a database that does not answer. */
    public static final int BAD_INPUT = 2;

    /** {@value}: the tool itself failed, which is a bug. */
    public static final int FAILED = 3;

    private ExitCodes() {}
}
