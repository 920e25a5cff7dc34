package io.idgen.jdbc.internal.connection;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.dialect.Dialects;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.BiPredicate;

/**
 * Tells by its URL whether a database lives in this process and no other can open it: then it is empty enough to be given
 * tables, and this process is the only one whose ids go into it.
 */
public final class EmbeddedDatabase {
    private EmbeddedDatabase() {}

    /**
     * Whether no other process can open the database.
     *
     * @param jdbcUrl as it was given to the driver, with all parameters; H2 leaves them out of its metadata
     * @return false for a server, and for a file that several processes may open
     */
    public static boolean isOwnedByThisProcess(String jdbcUrl) {
        return test(jdbcUrl, Dialect::isOwnedByThisProcess);
    }

    /**
     * Whether the database is in this process's memory, and so its own for certain.
     *
     * @param jdbcUrl as the driver's metadata or the settings give it
     * @return false for a server and for every file
     */
    public static boolean isInMemory(String jdbcUrl) {
        return test(jdbcUrl, Dialect::isInMemory);
    }

    private static boolean test(String jdbcUrl, BiPredicate<Dialect, String> test) {
        return Dialects.ofUrl(jdbcUrl)
                .filter(dialect -> test.test(dialect, jdbcUrl.toLowerCase(Locale.ROOT)))
                .isPresent();
    }

    /**
     * Whether a connection's database is in the memory of this process.
     *
     * @param connection to ask for its URL
     * @return false for a server and for every file
     * @throws SQLException if the driver refuses
     */
    public static boolean isInMemory(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url != null && isInMemory(url);
    }
}
