package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.SequenceFacts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * SQL Server, from 2012 on. <strong>Not tested:</strong> written from the Transact-SQL reference, "OUTPUT clause" and
 * "sys.sequences", because no server was available.
 */
final class SqlServerDialect implements Dialect {
    private static final int NO_SUCH_OBJECT = 208;
    private static final int UNIQUE_CONSTRAINT = 2627;
    private static final int UNIQUE_INDEX = 2601;
    private static final int SEQUENCE_EXHAUSTED = 11728;
    private static final int READ_ONLY = 3906;
    private static final int READ_ONLY_REPLICA = 978;

    @Override
    public String name() {
        return "sqlserver";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("Microsoft SQL Server");
    }

    @Override
    public boolean addsInOneStatement() {
        return true;
    }

    @Override
    public OptionalLong addAndGet(
            Connection connection, Counter counter, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        String sql = counter.update(counter.column() + " + ?", "OUTPUT inserted." + counter.column());
        return counter.query(connection, sql, amount, key, atLeast, atMost);
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence);
    }

    @Override
    public Optional<SequenceFacts> sequence(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        return SequenceFacts.find(
                connection,
                "SELECT CAST(increment AS bigint), is_cycling FROM sys.sequences WHERE name = ? AND SCHEMA_NAME(schema_id) = "
                        + (schema == null ? "SCHEMA_NAME()" : "?"),
                schema == null ? List.of(name) : List.of(name, schema));
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return e.getErrorCode() == NO_SUCH_OBJECT;
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return e.getErrorCode() == UNIQUE_CONSTRAINT || e.getErrorCode() == UNIQUE_INDEX;
    }

    @Override
    public boolean isReadOnly(SQLException e) {
        return e.getErrorCode() == READ_ONLY || e.getErrorCode() == READ_ONLY_REPLICA;
    }

    /**
     * SQL Server has few SQL states, which do not identify these errors, so their codes are listed. Their severity is
     * 16, but JDBC does not report a severity. 207 and 208: unknown column or object. 229, 230 and 262: permission
     * denied. 2628 and 8152: a value does not fit.
     */
    @Override
    public boolean isRefusal(SQLException e) {
        return switch (e.getErrorCode()) {
            case 207, 208, 229, 230, 262, 2628, 8152 -> true;
            default -> Dialect.super.isRefusal(e);
        };
    }

    @Override
    public boolean isExhausted(SQLException e) {
        return e.getErrorCode() == SEQUENCE_EXHAUSTED;
    }

    @Override
    public Optional<String> nowMillis() {
        return Optional.of("DATEDIFF_BIG(MILLISECOND, '1970-01-01', SYSUTCDATETIME())");
    }

    @Override
    public String serverIdentity() {
        return "CONVERT(varchar(64), SERVERPROPERTY('ServerName'))";
    }
}
