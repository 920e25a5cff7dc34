package io.idgen.cli.common;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for a database and its user: a mixin. No option has the password as its value, because every
 * user of the machine could read it in the process list.
 */
public final class DatabaseOptions {

    /**
     * The environment variable with the password, used without {@code --password-file} and {@code --password}:
     * {@value}.
     */
    public static final String PASSWORD_VARIABLE = "IDGEN_JDBC_PASSWORD";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Option(names = "--url", paramLabel = "<jdbc-url>", description = "The JDBC URL of the database.")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "<name>", description = "The database user, if the URL does not contain it.")
    private String user = "";

    @Option(
            names = "--password-file",
            paramLabel = "<file>",
            description = "A file whose first line is the password. Default: the environment variable "
                    + PASSWORD_VARIABLE + ".")
    private @Nullable Path passwordFile;

    @Option(names = "--password", interactive = true, arity = "0", description = "Prompt for the password.")
    private char @Nullable [] typedPassword;

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
        try {
            DriverManager.getDriver(JdbcUrl.checked(url()));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--url " + e.getMessage());
        } catch (SQLException e) {
            throw new BadInputException(
                    "no JDBC driver accepts " + shownUrl() + "; idgen.jar contains those of H2, PostgreSQL and MariaDB;"
                            + " add another one with java -cp idgen.jar:driver.jar io.idgen.cli.Idgen",
                    e);
        }
        return new UrlDataSource(ofExisting(url()), user, password(), TIMEOUT);
    }

    /** Returns a URL whose driver creates no file. A database in memory exists from its first connection on. */
    static String ofExisting(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.contains(":mem:") || lower.contains(":memory:")) {
            return url;
        } else if (lower.matches("jdbc:(h2|hsqldb):.*")) {
            return lower.contains(";ifexists=") ? url : url + ";IFEXISTS=TRUE";
        }
        return lower.startsWith("jdbc:sqlite:") && !lower.contains("open_mode=")
                ? url + (url.contains("?") ? "&" : "?") + "open_mode=2" // read and write without create
                : url;
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

    /** Returns the password, from the prompt, the file or the environment; empty if there is none. */
    private String password() {
        if (typedPassword != null) {
            return new String(typedPassword);
        }
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        String variable = System.getenv(PASSWORD_VARIABLE);
        return variable == null ? "" : variable;
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new BadInputException(
                    "cannot read the password from " + file + " (" + e + "); name a file that this user may read", e);
        }
    }
}
