package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * SQLite. {@code RETURNING} needs version 3.35 or newer; the tests run on 3.54. Source: its manual, "RETURNING" and
 * "Result and Error Codes". Its driver has no SQL states.
 */
final class SqliteDialect implements Dialect {
    private static final int ERROR = 1;
    private static final int READ_ONLY = 8;
    private static final int CONSTRAINT = 19;

    // the mask for the primary result code in an extended one
    private static final int PRIMARY = 0xff;

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("SQLite");
    }

    /** Only the special name is in memory: several processes can open an SQLite file. */
    @Override
    public boolean isInMemory(String url) {
        return url.equals("jdbc:sqlite::memory:");
    }

    @Override
    public Optional<Returning> returning() {
        return Optional.of(Returning.row("", " RETURNING next_id"));
    }

    /** Sets no limit. There is no server, and the driver uses the value as the time to wait for other writers. */
    @Override
    public void configure(Statement statement, int timeoutSeconds) {}

    /** Below FULL (2), the file is not synchronised at each commit. The setting applies to this connection only. */
    @Override
    public Optional<String> settingsThatLoseCommits() {
        return Optional.of("SELECT 'PRAGMA synchronous=' || synchronous FROM pragma_synchronous WHERE synchronous < 2");
    }

    /**
     * Converts from the Julian day of 1970 and rounds: the fraction of a day in floating point is accurate to about 40
     * µs.
     */
    @Override
    public String nowMillis() {
        return "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";
    }

    /** Only messages tell which object is missing, and which kind of constraint is violated. */
    @Override
    public Failure failure(SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (e.getErrorCode() == ERROR) {
            return message.contains("no such table") ? Failure.MISSING_TABLE : Failure.REFUSED;
        }
        return switch (e.getErrorCode() & PRIMARY) {
            case READ_ONLY -> Failure.READ_ONLY;
            case CONSTRAINT -> message.contains("UNIQUE constraint failed") ? Failure.DUPLICATE_KEY : Failure.OTHER;
            default -> Failure.OTHER;
        };
    }
}
