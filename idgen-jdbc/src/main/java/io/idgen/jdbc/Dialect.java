package io.idgen.jdbc;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** What differs between databases: one small class each. A database that none of them knows is refused, not guessed. */
interface Dialect {

    /** All that are known. */
    List<Dialect> KNOWN = List.of(new H2Dialect(), new PostgreSqlDialect());

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
        return e.getSQLState() != null && e.getSQLState().startsWith("23");
    }

    /**
     * The dialect of a connection's database.
     *
     * @throws ConfigurationException if none is known for it
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (Dialect dialect : KNOWN) {
            if (dialect.speaks(product)) {
                return dialect;
            }
        }
        throw new ConfigurationException(
                ErrorCode.UNKNOWN_DATABASE,
                "no dialect for the database '" + product + "'; known are "
                        + KNOWN.stream().map(Dialect::name).collect(Collectors.joining(", ")));
    }
}
