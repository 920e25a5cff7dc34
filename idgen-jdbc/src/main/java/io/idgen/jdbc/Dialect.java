package io.idgen.jdbc;

import io.idgen.jdbc.internal.SqlName;
import java.sql.SQLException;

/** What differs between databases: one small class each. A database that none of them knows is refused, not guessed. */
interface Dialect {

    /** As its folder of scripts is called. */
    String name();

    /** Whether a database of this product, as its driver names it, speaks this dialect. */
    boolean speaks(String product);

    /**
     * One statement that adds to {@code max_id} and gives it back, with parameters in this order: how much, the name, and the
     * largest {@code max_id} that may be added to. It gives no row if there is none to add to.
     */
    String addAndGet(SqlName table);

    /** Whether a statement failed because its table does not exist. */
    boolean isMissingTable(SQLException e);

    /** Whether an insert failed because its key exists. */
    default boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }
}
