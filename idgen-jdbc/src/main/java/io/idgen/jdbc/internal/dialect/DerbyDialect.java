package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.dialect.SequenceFacts;
import io.idgen.jdbc.dialect.Sequences;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derby. Source: its reference manual, "NEXT VALUE FOR", "SYSSEQUENCES" and "Derby exception messages and SQL states".
 */
final class DerbyDialect implements Dialect {
    @Override
    public String name() {
        return "derby";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("Apache Derby");
    }

    @Override
    public boolean isInMemory(String url) {
        return url.startsWith("jdbc:derby:memory:");
    }

    @Override
    public boolean isOwnedByThisProcess(String url) {
        return !url.startsWith("jdbc:derby://");
    }

    /** A function from the scripts, because Derby has no expression for a time without a time zone. */
    @Override
    public Optional<String> nowMillis() {
        return Optional.of("idgenNowMillis()");
    }

    /** In the session's time zone and in whole minutes. Derby has no replicas, so nothing depends on it. */
    @Override
    public Optional<String> statementMillis() {
        return Optional.of("CAST({fn TIMESTAMPDIFF(SQL_TSI_MINUTE, TIMESTAMP('1970-01-01 00:00:00'),"
                + " CURRENT_TIMESTAMP)} AS BIGINT) * 60000");
    }

    /** Derby creates a schema with its first table, so a missing schema also means a missing table. */
    @Override
    public Failure failure(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "42X05", "42Y07" -> Failure.MISSING_TABLE;
            case "25502", "25503" -> Failure.READ_ONLY;
            default -> Dialect.super.failure(e);
        };
    }

    @Override
    public Optional<Sequences> sequences() {
        return Optional.of(new DerbySequences());
    }

    private static final class DerbySequences implements Sequences {
        @Override
        public String next(String sequence) {
            return "VALUES (NEXT VALUE FOR " + sequence + ")";
        }

        @Override
        public Optional<SequenceFacts> facts(Connection connection, @Nullable String schema, String name)
                throws SQLException {
            return SequenceFacts.find(
                    connection,
                    "SELECT q.INCREMENT, q.CYCLEOPTION FROM SYS.SYSSEQUENCES q JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = q.SCHEMAID"
                            + " WHERE q.SEQUENCENAME = ? AND s.SCHEMANAME = "
                            + (schema == null ? "CURRENT SCHEMA" : "?")
                            + " WITH UR", // a lock on that row makes other sessions fail to take values
                    schema == null ? List.of(name) : List.of(name, schema));
        }
    }
}
