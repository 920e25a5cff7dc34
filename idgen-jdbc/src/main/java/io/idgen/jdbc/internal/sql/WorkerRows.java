package io.idgen.jdbc.internal.sql;

import org.jspecify.annotations.Nullable;

/** Special values in the rows of worker ids. */
public final class WorkerRows {
    /**
     * Added to {@code lease_until} of a reserved row: {@value} ms, about 3,000 years. The lease of a reserved row ends
     * this long after its process counts as gone; without a process it ends at this number. So no statement of a lease
     * acquires the row.
     */
    public static final long ENDLESS = 100_000_000_000_000L;

    /** The worker id of the row that holds the namespace's layout: {@value}. No process leases it. */
    public static final int LAYOUT_ROW = -1;

    /** The token of a reserved row. If a process holds the row, a colon and the token of the process follow. */
    public static final String RESERVED = "reserved";

    private WorkerRows() {}

    /**
     * Returns the token of the process that holds a reserved row, or null if none does.
     *
     * @param token the token in the row
     */
    public static @Nullable String reservedFor(@Nullable String token) {
        return token != null && token.startsWith(RESERVED + ":") ? token.substring(RESERVED.length() + 1) : null;
    }
}
