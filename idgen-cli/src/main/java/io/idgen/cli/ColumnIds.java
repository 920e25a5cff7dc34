package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Layouts;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import io.idgen.text.IdInspector;
import io.idgen.text.LayoutMatch;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Ids of a column: which layouts can have them, and whether the next id of a layout is above. Reads the {@value
 * #LARGEST} largest ids, and {@value #PER_POINT} at each of {@value #POINTS} points below, along an index, and no other
 * rows, however large the table is.
 *
 * @param ids how many ids were read
 * @param largest the largest; a string, because JavaScript rounds integers above 2<sup>53</sup>
 * @param layouts the layouts that can have the ids, the most likely first; none for numbers of a sequence
 * @param next the smallest next id of the layout
 * @param above whether it is above the largest
 */
record ColumnIds(
        String column, int ids, String largest, List<Match> layouts, String layout, String next, boolean above) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LARGEST = 1_000;
    private static final int POINTS = 50;
    private static final int PER_POINT = 20;

    /** The largest distance of a point from the next number of a sequence. */
    private static final long GAP = 1_000;

    /** At how many points a sequence may have a larger gap. */
    private static final int GAPS = POINTS / 10;

    /** Ids that all lie within this distance may be of one burst of a snowflake generator, which has no gaps. */
    private static final long BURST = 1L << 16;

    /** Ids that a layout can have; workers as {@code (datacenter,worker)}, with the number of their ids. */
    record Match(String layout, long ids, Instant oldest, Instant newest, Map<String, Long> workers) {
        static Match of(LayoutMatch match) {
            return new Match(
                    Layouts.name(match.layout()),
                    match.ids(),
                    match.oldest().parts().time(),
                    match.newest().parts().time(),
                    match.workers());
        }

        private String line() {
            return String.format(
                    Locale.ROOT,
                    "  %-10s %,d ids, %s to %s, %s\n",
                    layout,
                    ids,
                    oldest,
                    newest,
                    Analyze.workers(workers));
        }
    }

    /** Reads the ids. Changes nothing. Refuses a column without an index, because it would read the whole table. */
    static ColumnIds of(DataSource dataSource, String column, LayoutOptions layout, InstantSource clock) {
        SqlName name = SqlName.parse(column, 2, 4);
        TreeSet<Long> ids = new TreeSet<>();
        boolean isSequential = new Transactions(dataSource, TIMEOUT)
                .commit("reading ids of " + name, (connection, dialect) -> read(connection, name, ids));
        if (ids.isEmpty()) {
            throw new BadInputException(column + " contains no ids; name a column with numbers above 0");
        }
        Set<SnowflakeLayout> layouts =
                new LinkedHashSet<>(SnowflakeLayout.presets().values());
        layout.given().ifPresent(layouts::add);
        List<LayoutMatch> matches = isSequential ? List.of() : new IdInspector(clock).match(List.copyOf(ids), layouts);
        long next = layout.orDefault().firstIdAt(clock.instant());
        return new ColumnIds(
                column,
                ids.size(),
                Long.toString(ids.last()),
                matches.stream().map(Match::of).toList(),
                Layouts.name(layout.orDefault()),
                Long.toString(next),
                next > ids.last());
    }

    /** Returns whether the ids are consecutive numbers with at most small gaps, as those of a sequence are. */
    private static boolean read(Connection connection, SqlName name, TreeSet<Long> ids) throws SQLException {
        refuseWithoutIndex(connection, name);
        ids.clear(); // a database may run the transaction again
        ids.addAll(ids(connection, name, 1, " DESC", LARGEST));
        ids.addAll(ids(connection, name, 1, "", 1));
        long smallest = ids.isEmpty() ? 0 : ids.first();
        long range = ids.isEmpty() ? 0 : ids.last() - smallest;
        int gaps = 0;
        for (int i = 0; i < POINTS && range >= POINTS; i++) {
            long point = smallest + i * (range / POINTS);
            List<Long> next = ids(connection, name, point, "", PER_POINT);
            gaps += next.isEmpty() || next.get(0) - point > GAP ? 1 : 0;
            ids.addAll(next);
        }
        return gaps <= GAPS && range >= BURST;
    }

    private static List<Long> ids(Connection connection, SqlName name, long atLeast, String order, int rows)
            throws SQLException {
        String column = name.column();
        return new SqlText("SELECT " + column + " FROM " + name.table())
                .where(column + " >= ?", atLeast)
                .add(" ORDER BY " + column + order + " LIMIT " + rows)
                .all(connection, row -> row.getLong(1));
    }

    private static void refuseWithoutIndex(Connection connection, SqlName name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT " + name.column() + " FROM " + name.table() + " WHERE 1 = 0")) {
            ResultSetMetaData column = statement.executeQuery().getMetaData();
            String catalog = emptyToNull(column.getCatalogName(1));
            String schema = emptyToNull(column.getSchemaName(1));
            DatabaseMetaData database = connection.getMetaData();
            if (!begins(database.getPrimaryKeys(catalog, schema, column.getTableName(1)), "KEY_SEQ", column)
                    && !begins(
                            database.getIndexInfo(catalog, schema, column.getTableName(1), false, true),
                            "ORDINAL_POSITION",
                            column)) {
                throw new BadInputException("no index of " + name.table() + " begins with " + name.column()
                        + ", so its largest ids cannot be read without reading the whole table; name a column with an"
                        + " index, such as the primary key, or export the ids to a file");
            }
        }
    }

    private static @Nullable String emptyToNull(String name) {
        return name.isEmpty() ? null : name;
    }

    private static boolean begins(ResultSet columns, String position, ResultSetMetaData column) throws SQLException {
        try (columns) {
            boolean found = false;
            while (columns.next()) {
                found |= columns.getInt(position) == 1
                        && column.getColumnName(1).equals(columns.getString("COLUMN_NAME"));
            }
            return found;
        }
    }

    /** Returns all in English. */
    String text() {
        String found = layouts.isEmpty()
                ? "  numbers of a sequence, of IDENTITY or of segments; they contain no time\n"
                : layouts.stream().map(Match::line).collect(Collectors.joining())
                        + (layouts.size() == 1 ? "" : "The first is the most likely: it has the latest id.\n");
        return String.format(Locale.ROOT, "%s: ids read: %,d, the largest %s\n", column, ids, largest)
                + found + "The next id of layout " + layout + " is " + next + " or more, "
                + (above
                        ? "above the largest."
                        : "not above the largest: use the layout of these ids, or set idgen.snowflake.start-above="
                                + column + ", with which the start proposes one.");
    }
}
