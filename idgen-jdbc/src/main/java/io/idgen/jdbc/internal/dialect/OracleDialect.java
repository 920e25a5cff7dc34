package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.SequenceFacts;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Oracle, from 12.2 on. <strong>Not tested:</strong> written from the "SQL Language Reference" and the "PL/SQL Language
 * Reference", "RETURNING INTO Clause", because no server was available.
 */
final class OracleDialect implements Dialect {
    private static final int UNIQUE_CONSTRAINT = 1;
    private static final int DEADLOCK = 60;
    private static final int NOT_SERIALIZABLE = 8177;
    private static final int NO_SUCH_TABLE = 942;
    private static final int SEQUENCE_EXHAUSTED = 8004;
    private static final int OPEN_FOR_READ_ONLY = 16000;
    private static final int READ_ONLY_TRANSACTION = 1456;

    @Override
    public String name() {
        return "oracle";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("Oracle");
    }

    @Override
    public boolean addsInOneStatement() {
        return true;
    }

    /** Runs a PL/SQL block, whose variable stays null if it raises no row. */
    @Override
    public OptionalLong addAndGet(
            Connection connection, Counter counter, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        try (CallableStatement statement = connection.prepareCall("BEGIN " + counter.update(counter.column() + " + ?")
                + " RETURNING " + counter.column() + " INTO ?; END;")) {
            int result = counter.set(statement, amount, key, atLeast, atMost);
            statement.registerOutParameter(result, Types.BIGINT);
            statement.execute();
            long number = statement.getLong(result);
            return statement.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
        }
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT " + sequence + ".NEXTVAL FROM DUAL");
    }

    @Override
    public Optional<SequenceFacts> sequence(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        return SequenceFacts.find(
                connection,
                "SELECT INCREMENT_BY, CYCLE_FLAG FROM ALL_SEQUENCES WHERE SEQUENCE_NAME = ? AND SEQUENCE_OWNER = "
                        + (schema == null ? "SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA')" : "?"),
                schema == null ? List.of(name) : List.of(name, schema));
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return e.getErrorCode() == NO_SUCH_TABLE;
    }

    @Override
    public boolean isDuplicateKey(SQLException e) {
        return e.getErrorCode() == UNIQUE_CONSTRAINT;
    }

    @Override
    public boolean isRolledBack(SQLException e) {
        return e.getErrorCode() == DEADLOCK || e.getErrorCode() == NOT_SERIALIZABLE;
    }

    @Override
    public boolean isReadOnly(SQLException e) {
        return e.getErrorCode() == OPEN_FOR_READ_ONLY || e.getErrorCode() == READ_ONLY_TRANSACTION;
    }

    @Override
    public boolean isExhausted(SQLException e) {
        return e.getErrorCode() == SEQUENCE_EXHAUSTED;
    }

    @Override
    public String rowLock() {
        return " FOR UPDATE";
    }

    @Override
    public Optional<String> nowMillis() {
        String since = "(SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00')";
        return Optional.of("TRUNC(EXTRACT(DAY FROM " + since + ") * 86400000 + EXTRACT(HOUR FROM " + since
                + ") * 3600000 + EXTRACT(MINUTE FROM " + since + ") * 60000 + EXTRACT(SECOND FROM " + since
                + ") * 1000)");
    }

    @Override
    public String serverIdentity() {
        return "SYS_CONTEXT('USERENV', 'DB_UNIQUE_NAME')";
    }
}
