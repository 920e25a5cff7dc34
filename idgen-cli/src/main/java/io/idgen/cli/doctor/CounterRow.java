package io.idgen.cli.doctor;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.SqlName;
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
 * @param next the next id that nobody has
 * @param step how many ids segments take at least; 0 if each process decides
 * @param instance which of the instances has this row
 * @param instances how many instances there are, and so how much the number rises for one id
 * @param reach how many ids the row grants at most in ten minutes; null if idgen has never used the row
 * @param used how many ids it has granted since {@code since}
 * @param since the beginning of the last ten minutes in which the row granted ids; null if it has granted none
 * @param now the database's time
 * @param hasServer whether the row names the server that granted its last ids
 */
record CounterRow(
        String source,
        long next,
        int step,
        int instance,
        int instances,
        @Nullable Long reach,
        long used,
        @Nullable Instant since,
        Instant now,
        boolean hasServer) {

    /** Reads all rows, by their sources. */
    static List<CounterRow> all(Connection connection, Dialect dialect, SqlName table) throws SQLException {
        return new SqlText("SELECT name, next_id, step, instance, instances, reach, used, win, " + dialect.nowMillis()
                        + ", server_id FROM " + table + " ORDER BY name")
                .all(connection, CounterRow::read);
    }

    private static CounterRow read(ResultSet found) throws SQLException {
        long reach = found.getLong(6); // 0 if it is null
        long windowEnd = found.getLong(8);
        return new CounterRow(
                found.getString(1),
                found.getLong(2),
                found.getInt(3),
                found.getInt(4),
                found.getInt(5),
                reach > 0 ? reach : null,
                found.getLong(7),
                windowEnd == 0 ? null : Instant.ofEpochMilli(windowEnd - CounterRows.PERIOD_MILLIS),
                Instant.ofEpochMilli(found.getLong(9)),
                found.getString(10) != null);
    }
}
