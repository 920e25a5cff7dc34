package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Ids of a column: the {@value #LARGEST} largest, and {@value #PER_POINT} at each of {@value #POINTS} points below.
 * Reads them along an index, and no other rows, however large the table is.
 *
 * @param ids the ids above 0, ascending, without repetitions
 * @param isSequential whether the ids are consecutive numbers with at most small gaps, as those of a sequence are
 */
public record ColumnSample(List<Long> ids, boolean isSequential) {
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

    /** Copies the list. */
    public ColumnSample {
        ids = List.copyOf(ids);
    }

    /**
     * Reads the sample. Changes nothing. Blocks for one transaction of short queries, each of at most 5 s.
     *
     * @param dataSource provides connections that may read the table
     * @param column the column, for example {@code orders.id}; do not pass user input
     * @return the sample; without ids if the table has none
     * @throws IllegalArgumentException if {@code column} is not a valid name of a table and column, or no index begins
     *     with it: then a query would read the whole table
     * @throws AllocationException if the database does not answer, or refuses to read the column
     * @throws io.idgen.core.ConfigurationException if idgen has no dialect for the database
     */
    public static ColumnSample of(DataSource dataSource, String column) {
        SqlName name = SqlName.parse(column, 2, 4);
        return new Transactions(dataSource, TIMEOUT)
                .commit("reading ids of " + name, (connection, dialect) -> read(connection, dialect, name));
    }

    private static ColumnSample read(Connection connection, Dialect dialect, SqlName name) throws SQLException {
        refuseWithoutIndex(connection, name);
        TreeSet<Long> ids = new TreeSet<>(ids(connection, dialect, name, 1, " DESC", LARGEST));
        if (ids.isEmpty()) {
            return new ColumnSample(List.of(), false);
        }
        ids.addAll(ids(connection, dialect, name, 1, "", 1));
        long smallest = ids.first();
        long step = (ids.last() - smallest) / POINTS;
        int gaps = 0;
        for (int i = 0; i < POINTS && step > 0; i++) {
            long point = smallest + i * step;
            List<Long> next = ids(connection, dialect, name, point, "", PER_POINT);
            gaps += next.isEmpty() || next.get(0) - point > GAP ? 1 : 0;
            ids.addAll(next);
        }
        return new ColumnSample(List.copyOf(ids), gaps <= GAPS && ids.last() - smallest >= BURST);
    }

    private static List<Long> ids(
            Connection connection, Dialect dialect, SqlName name, long atLeast, String order, int rows)
            throws SQLException {
        String column = name.column();
        return new SqlText("SELECT " + column + " FROM " + name.table())
                .where(column + " >= ?", atLeast)
                .add(" ORDER BY " + column + order + dialect.firstRows(rows))
                .all(connection, row -> row.getLong(1));
    }

    private static void refuseWithoutIndex(Connection connection, SqlName name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT " + name.column() + " FROM " + name.table() + " WHERE 1 = 0");
                ResultSet none = statement.executeQuery()) {
            ResultSetMetaData column = none.getMetaData();
            String catalog = emptyToNull(column.getCatalogName(1));
            String schema = emptyToNull(column.getSchemaName(1));
            DatabaseMetaData database = connection.getMetaData();
            try (ResultSet keys = database.getPrimaryKeys(catalog, schema, column.getTableName(1));
                    ResultSet indexes = database.getIndexInfo(catalog, schema, column.getTableName(1), false, true)) {
                if (!begins(keys, "KEY_SEQ", column.getColumnName(1))
                        && !begins(indexes, "ORDINAL_POSITION", column.getColumnName(1))) {
                    throw new IllegalArgumentException("no index of " + name.table() + " begins with " + name.column()
                            + ", so its largest ids cannot be read without reading the whole table; name a column with an"
                            + " index, such as the primary key, or export the ids to a file");
                }
            }
        }
    }

    private static @Nullable String emptyToNull(String name) {
        return name.isEmpty() ? null : name;
    }

    private static boolean begins(ResultSet columns, String position, String column) throws SQLException {
        while (columns.next()) {
            if (columns.getInt(position) == 1 && column.equals(columns.getString("COLUMN_NAME"))) {
                return true;
            }
        }
        return false;
    }
}
