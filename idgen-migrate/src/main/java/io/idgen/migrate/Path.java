package io.idgen.migrate;

import io.idgen.core.lease.Finding;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The way of one column from the state in which the database is now. */
interface Path {

    /** Numbers that a database generates are below, ids of an application are not: snowflakes have more digits. */
    long FIRST_NEW = 1_000_000_000_000L;

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
