package io.idgen.migrate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The way of one column from the state in which the database is now. */
interface Path {

    /** Numbers that a database generates are below, ids of an application are not: snowflakes have more digits. */
    long FIRST_NEW = 1_000_000_000_000L;

    /** Whether a column can have the new ids. */
    static Finding typeOf(String column, String type, boolean isBigint) {
        return new Finding(
                isBigint ? Level.OK : Level.WRONG,
                "type",
                column + " is " + type
                        + (isBigint ? "" : ", which cannot have the new ids; run idgen migrate --to bigint first"));
    }

    /** Returns the refusal of a way back to a type. */
    static AllocationException noWayBack(String column, String type) {
        return new AllocationException(
                ErrorCode.STATEMENT_REFUSED,
                column + " has ids that do not fit " + type
                        + ", so there is no way back; delete these rows, or go on with BIGINT");
    }

    /** What stands in the way, and what to know before. */
    List<Finding> findings() throws SQLException;

    /** The steps forward. The last one may be the one-way door. */
    List<Stage> forward();

    /** The steps back, as far as they are known now. */
    List<Stage> back() throws SQLException;

    /** Measures the steps forward that take longer for more rows. Returns their times by their numbers. */
    default Map<Integer, List<Timing>> times() throws SQLException {
        return Map.of();
    }

    /** Compares old and new columns; empty if there is only one. */
    default List<Comparison> compare() throws SQLException {
        return List.of();
    }
}
