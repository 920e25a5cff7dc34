package io.idgen.migrate;

import java.sql.SQLException;
import java.util.List;

/**
 * Measures statements on a copy of some rows of a table. The copy is a temporary table, so no table of an application
 * changes. Each statement ends after ten seconds at the latest.
 */
final class Sample implements AutoCloseable {
    static final String NAME = "idgen_sample";

    private static final int ROWS = 10_000;
    private static final int BYTES = 20_000_000;
    private static final int LONGEST_SECONDS = 10;

    private final Session session;
    private final String table;
    private final String drop;
    private long rows;

    /** Creates the temporary table. */
    Sample(Session session, String table, String create, String drop) throws SQLException {
        this.session = session;
        this.table = table;
        this.drop = drop;
        session.limit(LONGEST_SECONDS);
        session.execute(create);
    }

    /** Copies the first rows, fewer if they are long, and returns how long it took. */
    Timing copied(String insert, long averageBytes) throws SQLException {
        long sinceNanos = System.nanoTime();
        rows = session.execute(insert + " LIMIT " + Math.max(1, Math.min(ROWS, BYTES / Math.max(1, averageBytes))));
        return since(sinceNanos);
    }

    /** Executes statements, and returns how long all of them took. */
    Timing timed(List<String> sql) throws SQLException {
        long sinceNanos = System.nanoTime();
        for (String each : sql) {
            session.execute(each);
        }
        return since(sinceNanos);
    }

    /** Nanoseconds for a row are milliseconds for a million rows. */
    private Timing since(long sinceNanos) {
        return new Timing(table, rows, (System.nanoTime() - sinceNanos) / Math.max(1, rows));
    }

    boolean isEmpty() {
        return rows == 0;
    }

    @Override
    public void close() throws SQLException {
        session.execute(drop);
    }
}
