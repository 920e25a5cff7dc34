package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import java.sql.SQLException;
import java.util.Optional;

/** HSQLDB. Source: its guide, "NEXT VALUE FOR". The driver's error codes were found by experiment. */
final class HsqldbDialect implements Dialect {
    private static final int NO_SUCH_OBJECT = -5501;
    private static final int READ_ONLY = -455;

    @Override
    public String name() {
        return "hsqldb";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("HSQL Database Engine");
    }

    @Override
    public boolean isInMemory(String url) {
        return url.startsWith("jdbc:hsqldb:mem:");
    }

    @Override
    public boolean isOwnedByThisProcess(String url) {
        return !url.startsWith("jdbc:hsqldb:hsql")
                && !url.startsWith("jdbc:hsqldb:http")
                && !url.contains("hsqldb.lock_file=false");
    }

    @Override
    public Optional<String> settingsThatLoseCommits() {
        return Optional.of(
                "SELECT 'hsqldb.write_delay_millis=' || PROPERTY_VALUE FROM INFORMATION_SCHEMA.SYSTEM_PROPERTIES"
                        + " WHERE PROPERTY_NAME = 'hsqldb.write_delay_millis' AND PROPERTY_VALUE <> '0'");
    }

    @Override
    public String nowMillis() {
        return "UNIX_MILLIS()";
    }

    @Override
    public Failure failure(SQLException e) {
        if (e.getErrorCode() == NO_SUCH_OBJECT || "3F000".equals(e.getSQLState())) {
            return Failure.MISSING_TABLE;
        }
        return e.getErrorCode() == READ_ONLY ? Failure.READ_ONLY : Dialect.super.failure(e);
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("CALL NEXT VALUE FOR " + sequence);
    }

    @Override
    public String nextValues(String sequence, int count) {
        return "SELECT NEXT VALUE FOR " + sequence + " FROM UNNEST(SEQUENCE_ARRAY(1, " + count + ", 1))";
    }
}
