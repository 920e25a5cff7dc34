package io.idgen.jdbc.internal.connection;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.dialect.Dialects;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.BiPredicate;

/**
 * Decides by the JDBC URL whether only this process can open a database. Then idgen may create its tables there, and no
 * other process inserts ids.
 */
public final class EmbeddedDatabase {
    private EmbeddedDatabase() {}

    /**
     * Returns whether no other process can open the database.
     *
     * @param jdbcUrl the URL that the driver was given, with all parameters; H2 leaves them out of its metadata
     * @return false for a server, and for a file that several processes may open
     */
    public static boolean isOwnedByThisProcess(String jdbcUrl) {
        return test(jdbcUrl, Dialect::isOwnedByThisProcess);
    }

    /**
     * Returns whether the database is in the memory of this process, so that no other process can open it.
     *
     * @param jdbcUrl the URL, from the driver's metadata or from the settings
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
     * Returns whether the database of a connection is in the memory of this process.
     *
     * @param connection read for its URL
     * @return false for a server and for every file
     * @throws SQLException if the driver fails
     */
    public static boolean isInMemory(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url != null && isInMemory(url);
    }
}
