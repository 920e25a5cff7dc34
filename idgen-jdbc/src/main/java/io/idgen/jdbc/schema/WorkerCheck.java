package io.idgen.jdbc.schema;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.WorkerRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the table of worker ids for the doctor. */
record WorkerCheck(SqlName table) {
    private static final String IS_RESERVED = "lease_until >= " + WorkerRows.ENDLESS;

    /**
     * Returns the findings about leases, horizons, layouts and reservations.
     *
     * @param now the dialect's expression for the database's time
     */
    List<Finding> findings(Connection connection, String now) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        String sql = "SELECT namespace, layout, COUNT(*), COUNT(CASE WHEN lease_until >= " + now + " AND NOT ("
                + IS_RESERVED + ") THEN 1 END), COUNT(CASE WHEN " + IS_RESERVED
                + " THEN 1 END), MAX(horizon), MAX(longest_window), MAX(" + now + ") FROM " + table
                + " WHERE worker_id >= 0 GROUP BY namespace, layout ORDER BY namespace, layout";
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                findings.addAll(new NamespaceUse(
                                found.getString(1),
                                found.getString(2),
                                found.getLong(3),
                                found.getLong(4),
                                found.getLong(5),
                                Instant.ofEpochMilli(found.getLong(6)),
                                Duration.ofMillis(found.getLong(7)),
                                Instant.ofEpochMilli(found.getLong(8)))
                        .findings());
            }
        }
        if (findings.isEmpty()) {
            findings.add(new Finding(
                    Level.OK, "worker ids", "none yet; the first process creates the rows of its namespace"));
        }
        findings.addAll(reserved(connection, now));
        return findings;
    }

    private List<Finding> reserved(Connection connection, String now) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(IdgenDoctor.MOST_ROWS);
            try (ResultSet found = statement.executeQuery("SELECT namespace, worker_id, owner_token, lease_until - "
                    + WorkerRows.ENDLESS + ", " + now + ", owner_info FROM " + table + " WHERE " + IS_RESERVED
                    + " ORDER BY namespace, worker_id")) {
                while (found.next()) {
                    boolean held = !WorkerRows.RESERVED.equals(found.getString(3));
                    String holder = found.getString(6);
                    findings.add(new Finding(
                            Level.OK,
                            "reserved",
                            found.getString(1) + ": worker id " + found.getInt(2)
                                    + (!held
                                            ? ", held by no process"
                                            : found.getLong(4) >= found.getLong(5)
                                                    ? ", held by " + holder
                                                    : ", last held by " + holder
                                                            + ", which has not renewed it since "
                                                            + NamespaceUse.time(
                                                                    Instant.ofEpochMilli(found.getLong(4))))));
                }
            }
        }
        return findings;
    }
}
