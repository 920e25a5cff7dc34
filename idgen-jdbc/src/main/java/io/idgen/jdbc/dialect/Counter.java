package io.idgen.jdbc.dialect;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column of numbers that allocations raise, with one row per name. An {@link Addition} builds statements from it.
 * All names have been checked to be valid identifiers.
 *
 * @param table the table, optionally with its schema
 * @param column the column that allocations raise, a {@code BIGINT}
 * @param keys columns whose values must be equal for a row to be raised; together they match at most one row
 * @param stride how much the number rises for one id
 * @param guard the conditions on the row that prevent repeated ids after a takeover, or null for a table without the
 *     columns
 */
public record Counter(
        String table,
        String column,
        List<String> keys,
        long stride,
        @Nullable Guard guard) {

    /** Keeps a copy of the keys. */
    public Counter {
        Objects.requireNonNull(table);
        Objects.requireNonNull(column);
        keys = List.copyOf(keys);
    }

    /**
     * The guarantee of a row that takeovers rely on. The server in its column {@code server_id} grants at most {@code
     * reach} ids in a window of {@link #WINDOW_MILLIS}. A replica that takes over lacks no more ids than that, because
     * it lags by less than a window. The column {@code win} is the end of the current window, and {@code used} is how
     * many ids were granted in it.
     *
     * @param server an expression for the identity of this server
     * @param serverValues the values of its parameters; copied
     * @param nowMillis an expression for the time
     */
    public record Guard(String server, List<String> serverValues, String nowMillis) {

        /** The length of a window: ten minutes, twice the lag that a replica may have. */
        public static final long WINDOW_MILLIS = 600_000;

        /** The columns of a guard. A table without all of them is not guarded. */
        public static final List<String> COLUMNS = List.of("server_id", "reach", "win", "used");

        /** Copies the values. */
        public Guard {
            Objects.requireNonNull(server);
            serverValues = List.copyOf(serverValues);
            Objects.requireNonNull(nowMillis);
        }

        /**
         * Returns how many ids were granted in the current window.
         *
         * @return an SQL expression
         */
        public String used() {
            return "CASE WHEN win > " + nowMillis + " THEN used ELSE 0 END";
        }
    }
}
