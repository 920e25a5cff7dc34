package io.idgen.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** H2. Source: its grammar, "Data Change Delta Table", and its error codes. */
final class H2Dialect implements Dialect {
    private static final int NO_TABLE_IN_AN_EMPTY_DATABASE = 42104;
    private static final int READ_ONLY = 90097;

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("H2");
    }

    @Override
    public boolean addsInOneStatement() {
        return true;
    }

    @Override
    public OptionalLong addAndGet(Connection connection, Counter counter, long amount, List<?> key, long atMost)
            throws SQLException {
        String sql =
                "SELECT " + counter.column() + " FROM FINAL TABLE (" + counter.update(counter.column() + " + ?") + ")";
        return counter.query(connection, sql, amount, key, atMost);
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence);
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return Dialect.super.isMissingTable(e) || e.getErrorCode() == NO_TABLE_IN_AN_EMPTY_DATABASE;
    }

    @Override
    public boolean isReadOnly(SQLException e) {
        return e.getErrorCode() == READ_ONLY;
    }
}
