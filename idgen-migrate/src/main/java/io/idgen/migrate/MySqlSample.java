package io.idgen.migrate;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measures the steps on MariaDB and MySQL: each table is copied, and the swap compares the copies before its lock. */
record MySqlSample(Session session, MySqlCatalog catalog) {

    /** Returns the times by the numbers of the steps. */
    Map<Integer, List<Timing>> times() throws SQLException {
        Map<Integer, List<Timing>> times = new TreeMap<>();
        List<Timing> compared = new ArrayList<>();
        for (int i = 0; i < catalog.tables().size(); i++) {
            MySqlTable table = catalog.tables().get(i);
            List<String> columns = table.written();
            String list = MySqlTable.list(columns, "");
            try (Sample sample = new Sample(
                    session,
                    table.name(),
                    "CREATE TEMPORARY TABLE " + Sample.NAME + " LIKE `" + table.name() + "`",
                    "DROP TEMPORARY TABLE " + Sample.NAME)) {
                Timing copied = sample.copied(
                        "INSERT INTO " + Sample.NAME + " (" + list + ") SELECT " + list + " FROM `" + table.name()
                                + "`",
                        catalog.averageBytes(session, table));
                if (!sample.isEmpty()) {
                    times.put(i + 1, List.of(copied));
                    compared.add(sample.timed(List.of("SELECT bit_xor(" + MySqlWidening.checksum(columns, "o")
                            + "), bit_xor(" + MySqlWidening.checksum(columns, "c") + ") FROM " + Sample.NAME
                            + " c STRAIGHT_JOIN `" + table.name() + "` o FORCE INDEX (PRIMARY) ON "
                            + MySqlTable.equal(table.primaryKey(), "o.", "c."))));
                }
            }
        }
        times.put(catalog.tables().size() + 1, compared);
        return times;
    }
}
