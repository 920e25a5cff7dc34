package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells by its URL whether a database lives in this process and no other can open it: then it is empty enough to be given
 * tables, and this process is the only one whose ids go into it.
 */
public final class EmbeddedDatabase {
    // H2 reads all of these as true
    private static final Pattern SHARED_FILE = Pattern.compile(";(auto_server=(true|t|yes|y|1)|file_lock=no)(;|$)");

    private EmbeddedDatabase() {}

    /**
     * Whether no other process can open the database.
     *
     * @param jdbcUrl as it was given to the driver, with all parameters; H2 leaves them out of its metadata
     * @return false for a server, and for a file that several processes may open
     */
    public static boolean isOwnedByThisProcess(String jdbcUrl) {
        String url = jdbcUrl.toLowerCase(Locale.ROOT);
        if (url.startsWith("jdbc:h2:")) {
            return !url.startsWith("jdbc:h2:tcp:")
                    && !url.startsWith("jdbc:h2:ssl:")
                    && !SHARED_FILE.matcher(url).find();
        }
        if (url.startsWith("jdbc:hsqldb:")) {
            return !url.startsWith("jdbc:hsqldb:hsql")
                    && !url.startsWith("jdbc:hsqldb:http")
                    && !url.contains("hsqldb.lock_file=false");
        }
        if (url.startsWith("jdbc:derby:")) {
            return !url.startsWith("jdbc:derby://");
        }
        return url.equals("jdbc:sqlite::memory:"); // a file of SQLite can be opened by several processes
    }

    /**
     * Whether the database is in this process's memory, and so its own for certain.
     *
     * @param jdbcUrl as the driver's metadata or the settings give it
     * @return false for a server and for every file
     */
    public static boolean isInMemory(String jdbcUrl) {
        String url = jdbcUrl.toLowerCase(Locale.ROOT);
        return url.startsWith("jdbc:h2:mem:")
                || url.startsWith("jdbc:hsqldb:mem:")
                || url.startsWith("jdbc:derby:memory:")
                || url.equals("jdbc:sqlite::memory:");
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
