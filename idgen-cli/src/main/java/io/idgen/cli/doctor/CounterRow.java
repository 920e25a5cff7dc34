package io.idgen.cli.doctor;

import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counter of a source.
 *
 * @param number the number that allocations raise
 * @param stride how much the number rises for one id
 * @param reach how many ids the row grants at most in ten minutes; null if nothing limits them
 * @param usedNumbers how much the number rose since {@code since}
 * @param since the beginning of the last ten minutes in which the row granted ids; null if the row does not record it
 * @param now the database's time; 1970 if idgen cannot read its clock
 * @param hasServer whether the row names the server that granted its last ids
 */
record CounterRow(
        String source,
        long number,
        long stride,
        @Nullable Long reach,
        long usedNumbers,
        @Nullable Instant since,
        Instant now,
        boolean hasServer) {

    /** Reads all rows of a table, by their sources. */
    static List<CounterRow> all(Connection connection, Dialect dialect, CounterTable table, String prefix)
            throws SQLException {
        boolean guarded = isGuarded(connection, table, prefix);
        String sql = "SELECT " + table.source() + ", " + table.number() + ", " + table.stride() + ", "
                + (guarded ? "reach, used, win, " : "0, 0, 0, ")
                + dialect.nowMillis().orElse("0") + ", "
                + (guarded ? "server_id" : "NULL") + " FROM "
                + table.named(prefix) + " ORDER BY " + table.source();
        return new SqlText(sql).all(connection, CounterRow::read);
    }

    private static CounterRow read(ResultSet found) throws SQLException {
        long stride = found.getLong(3);
        long reach = found.getLong(4); // 0 if it is null
        long windowEnd = found.getLong(6);
        long now = found.getLong(7);
        return new CounterRow(
                found.getString(1),
                found.getLong(2),
                stride,
                reach > 0 ? reach : null,
                found.getLong(5) * stride,
                windowEnd == 0 || now == 0 ? null : Instant.ofEpochMilli(windowEnd - Counter.Guard.WINDOW_MILLIS),
                Instant.ofEpochMilli(now),
                found.getString(8) != null);
    }

    /** Returns whether the table has the columns that limit which ids a takeover can repeat; Leaf's table has none. */
    static boolean isGuarded(Connection connection, CounterTable table, String prefix) throws SQLException {
        return OwnTable.missing(connection, table.named(prefix).toString(), Counter.Guard.COLUMNS)
                .isEmpty();
    }

    /** Whether a source has a row in one of these tables. */
    static boolean exists(Connection connection, List<CounterTable> tables, String prefix, String source)
            throws SQLException {
        for (CounterTable table : tables) {
            if (new SqlText("SELECT " + table.number() + " FROM " + table.named(prefix))
                    .where(table.source() + " = ?", source)
                    .finds(connection)) {
                return true;
            }
        }
        return false;
    }
}
