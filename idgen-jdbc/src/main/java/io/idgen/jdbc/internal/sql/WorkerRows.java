package io.idgen.jdbc.internal.sql;

/** Values that stand in the rows of worker ids. */
public final class WorkerRows {
    /**
     * The lease of a reserved row ends so many milliseconds, 3,000 years, after its holder counts as gone; that of a row that no
     * process holds ends at this number. So no statement of a lease takes the row.
     */
    public static final long ENDLESS = 100_000_000_000_000L;

    /** No worker has this id; its row holds the layout of the namespace: {@value}. */
    public static final int LAYOUT_ROW = -1;

    /** The token of a reserved row; behind it, after a colon, is that of the process that holds the row. */
    public static final String RESERVED = "reserved";

    private WorkerRows() {}
}
