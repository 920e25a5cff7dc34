package io.idgen.jdbc.internal.connection;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The application's database. idgen looks for its tables there if no other database is configured. It opens connections
 * of its own, since the application's threads hold connections of their pool while they wait for ids. In this order:
 *
 * <ol>
 *   <li>to the URL in the application's settings, if there is no pool
 *   <li>as a copy of the application's HikariCP pool
 *   <li>otherwise through the application's data source itself
 * </ol>
 *
 * <p>Opens nothing before {@link #open}, and then only on request.
 *
 * @param opener creates connections that wait for a time at most
 * @param url the URL, as far as it is known without a connection
 */
public record ApplicationDatabase(Function<Duration, OwnConnections> opener, Optional<String> url) {

    /**
     * The database of a URL.
     *
     * @param url the JDBC URL
     * @param user empty if the URL contains it, or none is needed
     * @param password empty if there is none
     */
    public static ApplicationDatabase at(String url, String user, String password) {
        return new ApplicationDatabase(timeout -> OwnConnections.to(url, user, password, timeout), Optional.of(url));
    }

    /** Creates an instance for a data source that the application's threads use. */
    public static ApplicationDatabase of(DataSource dataSource) {
        return of(dataSource, Optional.empty());
    }

    /** The same if the driver has reported the URL. */
    public static ApplicationDatabase of(DataSource dataSource, Optional<String> url) {
        return new ApplicationDatabase(timeout -> OwnConnections.ofApplication(dataSource, timeout), url);
    }

    /**
     * Creates the connections. Opens none.
     *
     * @param timeout how long to wait for a connection
     * @return the connections; close them after use
     */
    public OwnConnections open(Duration timeout) {
        return opener.apply(timeout);
    }

    /** Names no URL, which may contain a password. */
    @Override
    public String toString() {
        return "the application's database";
    }
}
