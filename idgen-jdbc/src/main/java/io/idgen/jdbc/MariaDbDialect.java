package io.idgen.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** MariaDB, through its own driver or through MySQL's: MySQL with sequences. Source: its manual, "CREATE SEQUENCE". */
final class MariaDbDialect extends MySqlDialect {
    private static final int NO_SUCH_TABLE = 1146;
    private static final int SEQUENCE_EXHAUSTED = 4084;

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("MariaDB") || (product.equals("MySQL") && isMariaDb(version));
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence);
    }

    /** A sequence is a table of one row. */
    @Override
    public Optional<SequenceFacts> sequence(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        String table = (schema == null ? "" : "`" + schema + "`.") + "`" + name + "`";
        try {
            return SequenceFacts.find(connection, "SELECT increment, cycle_option FROM " + table, List.of());
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public boolean isExhausted(SQLException e) {
        return e.getErrorCode() == SEQUENCE_EXHAUSTED;
    }

    @Override
    public String serverIdentity() {
        return "@@server_uid";
    }
}
