package io.idgen.migrate;

import io.idgen.migrate.PostgreSqlCatalog.Column;
import io.idgen.migrate.PostgreSqlCatalog.Index;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Measures the steps on PostgreSQL that read or write each row. */
record PostgreSqlSample(Session session, PostgreSqlCatalog catalog) {
    private static final int FIRST = 2;
    private static final String COPY = "pg_temp." + Sample.NAME;

    /** Returns the times by the numbers of the steps. */
    Map<Integer, List<Timing>> times() throws SQLException {
        Map<Integer, List<Timing>> times = new TreeMap<>();
        for (Table table : catalog.moved()) {
            try (Sample sample = new Sample(
                    session,
                    table.name(),
                    "CREATE TEMPORARY TABLE " + Sample.NAME + " (LIKE " + table.name() + " INCLUDING INDEXES)",
                    "DROP TABLE " + COPY)) {
                sample.copied(
                        "INSERT INTO " + COPY + " SELECT * FROM " + table.name(),
                        table.bytes() / Math.max(1, table.rows()));
                if (sample.isEmpty()) {
                    continue;
                }
                for (Column each : table.moved()) {
                    session.execute(
                            "ALTER TABLE " + COPY + " ADD COLUMN IF NOT EXISTS " + each.otherName() + " bigint");
                }
                int step = FIRST;
                for (List<String> sql : statements(table)) {
                    if (!sql.isEmpty()) {
                        times.computeIfAbsent(step, any -> new ArrayList<>()).add(sample.timed(sql));
                    }
                    step++;
                }
            }
        }
        return times;
    }

    /** What step 2 and those after it do with each row. A constraint reads each row to be validated. */
    private List<List<String>> statements(Table table) {
        List<Column> columns = table.moved();
        Map<String, String> names = columns.stream().collect(Collectors.toMap(Column::name, Column::otherName));
        String fill = "UPDATE " + COPY + " SET "
                + columns.stream()
                        .map(each -> each.otherName() + " = " + each.name())
                        .collect(Collectors.joining(", "));
        List<String> build = table.indexes().stream()
                .map(Index::definition)
                .map(each -> "CREATE INDEX ON " + COPY
                        + PostgreSqlWidening.renamed(each.substring(each.indexOf(" USING ")), names))
                .toList();
        List<String> nulls = columns.stream()
                .filter(Column::isNotNull)
                .map(each -> "SELECT count(*) FROM " + COPY + " WHERE " + each.otherName() + " IS NULL")
                .toList();
        List<String> orphans = catalog.movedForeignKeys().stream()
                .filter(each -> each.child() == table.number())
                .map(each -> "SELECT count(*) FROM " + COPY + " c WHERE NOT EXISTS (SELECT FROM " + each.parentName()
                        + " p WHERE p." + each.parentColumn() + " = c." + catalog.other(each.child(), each.column())
                        + ")")
                .toList();
        List<String> compare = columns.stream()
                .map(each -> "SELECT count(*) FROM " + COPY + " WHERE " + each.otherName() + " IS DISTINCT FROM "
                        + each.name())
                .toList();
        return List.of(List.of(fill), build, nulls, orphans, compare);
    }
}
