package io.idgen.cli.common;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a database and its user: a mixin. */
public final class DatabaseOptions extends LoginOptions {

    @Option(names = "--url", paramLabel = "<jdbc-url>", description = "The JDBC URL of the database.")
    private @Nullable String url;

    public DatabaseOptions() {}

    /**
     * Returns whether a database was given.
     *
     * @return false if the command uses its default
     */
    public boolean isGiven() {
        return url != null;
    }

    /**
     * Returns a data source for the database. Opens no connection, and never creates a database in a file. Its error
     * messages contain neither the password nor parameters of the URL.
     *
     * @return a data source that opens a new connection for each request; its {@code toString} has no secrets
     * @throws BadInputException if no URL is given or no driver accepts it, or the password cannot be read
     */
    public UrlDataSource dataSource() {
        return dataSource("--url", url());
    }

    /**
     * Returns the URL as it was given. Pass it only to a driver: it may contain a password.
     *
     * @return the URL
     * @throws BadInputException if no URL is given
     */
    public String url() {
        if (url == null) {
            throw new BadInputException(
                    "no database is given; set one, for example --url jdbc:postgresql://localhost/shop --user shop");
        }
        return url;
    }

    /**
     * Returns the URL without anything that may be a password.
     *
     * @return the URL for reports and messages
     * @throws BadInputException if no URL is given
     */
    public String shownUrl() {
        return new JdbcUrl(url()).toString();
    }
}
