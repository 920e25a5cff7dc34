package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;

/** H2. Source: its grammar, "Data Change Delta Table", and its error codes. */
final class H2Dialect implements Dialect {
    /** H2 reads all of these values as true. */
    private static final Pattern SHARED_FILE = Pattern.compile(";(auto_server=(true|t|yes|y|1)|file_lock=no)(;|$)");

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.equals("H2");
    }

    @Override
    public boolean isInMemory(String url) {
        return url.startsWith("jdbc:h2:mem:");
    }

    @Override
    public boolean isOwnedByThisProcess(String url) {
        return !url.startsWith("jdbc:h2:tcp:")
                && !url.startsWith("jdbc:h2:ssl:")
                && !SHARED_FILE.matcher(url).find();
    }

    @Override
    public Optional<Returning> returning() {
        return Optional.of(Returning.row("SELECT next_id FROM FINAL TABLE (", ")"));
    }

    /** Sets no limit. H2 would apply it to the whole session, and its own LOCK_TIMEOUT ends waits for locks. */
    @Override
    public void configure(Statement statement, int timeoutSeconds) {}

    /** Any value: with 0, H2 2.5 still acknowledges commits before another thread writes them to the file. */
    @Override
    public Optional<String> settingsThatLoseCommits() {
        return Optional.of("SELECT 'WRITE_DELAY=' || SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
                + " WHERE SETTING_NAME = 'WRITE_DELAY'");
    }

    /** H2 evaluates this for each row of a query, and {@code EXTRACT(EPOCH …)} divides decimals each time. */
    @Override
    public String nowMillis() {
        return "DATEDIFF(MILLISECOND, TIMESTAMP '1970-01-01 00:00:00', CURRENT_TIMESTAMP(3) AT TIME ZONE 'UTC')";
    }

    /** H2's own errors have SQL states outside the standard classes, so their codes are listed. */
    @Override
    public Failure failure(SQLException e) {
        return switch (e.getErrorCode()) {
            case 42104, 90079 -> Failure.MISSING_TABLE; // in an empty database; of a missing schema
            case 90036 -> Failure.REFUSED; // no such sequence
            case 90096 -> Failure.FORBIDDEN;
            case 90006 -> Failure.SEQUENCE_EXHAUSTED;
            case 90097 -> Failure.READ_ONLY;
            default -> Dialect.super.failure(e);
        };
    }

    @Override
    public Optional<String> columnDefault(boolean hasSchema) {
        String column = " THEN 'ALTER COLUMN \"' || COLUMN_NAME || '\"";
        return Optional.of("(SELECT CASE WHEN IDENTITY_GENERATION = 'ALWAYS'" + column + ACCEPT_VALUES
                + "' WHEN IS_IDENTITY = 'YES'" + column + " DROP IDENTITY' WHEN COLUMN_DEFAULT IS NOT NULL" + column
                + " DROP DEFAULT' END FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = "
                + (hasSchema ? "?" : "CURRENT_SCHEMA") + " AND TABLE_NAME = ? AND COLUMN_NAME = ?)");
    }

    @Override
    public Optional<String> nextValue(String sequence) {
        return Optional.of("SELECT NEXT VALUE FOR " + sequence);
    }

    @Override
    public String nextValues(String sequence, int count) {
        return "SELECT NEXT VALUE FOR " + sequence + " FROM SYSTEM_RANGE(1, " + count + ")";
    }
}
