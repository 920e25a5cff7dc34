package io.idgen.jdbc.internal;

import java.util.Locale;

/**
 * Tells by its URL whether a database lives in this process and no other can open it: then it is empty enough to be given
 * tables, and this process is the only one whose ids go into it.
 */
public final class EmbeddedDatabase {
    private EmbeddedDatabase() {}

    /**
     * Whether no other process can open the database.
     *
     * @param jdbcUrl as the driver's metadata or the settings give it
     * @return false for a server, and for a file that several processes may open
     */
    public static boolean isOwnedByThisProcess(String jdbcUrl) {
        String url = jdbcUrl.toLowerCase(Locale.ROOT);
        if (url.startsWith("jdbc:h2:")) {
            return !url.startsWith("jdbc:h2:tcp:")
                    && !url.startsWith("jdbc:h2:ssl:")
                    && !url.contains("auto_server=true")
                    && !url.contains("file_lock=no");
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
}
