package io.idgen.cli.common;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options for the user of one or several databases: a mixin. No option has the password as its value, because every
 * user of the machine could read it in the process list.
 */
public class LoginOptions {

    /**
     * The environment variable with the password, used without {@code --password-file} and {@code --password}:
     * {@value}.
     */
    public static final String PASSWORD_VARIABLE = "IDGEN_JDBC_PASSWORD";

    @Option(names = "--user", paramLabel = "<name>", description = "The database user, if the URL does not contain it.")
    private String user = "";

    @ArgGroup
    private @Nullable PasswordFrom password;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "5",
            description = "Timeout for connecting, in seconds. Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    /** The source of the password; the environment if no option is given. */
    private static final class PasswordFrom {
        @Option(
                names = "--password-file",
                paramLabel = "<file>",
                description = "A file whose first line is the password. Default: the environment variable "
                        + PASSWORD_VARIABLE + ".")
        private @Nullable Path file;

        @Option(names = "--password", interactive = true, arity = "0", description = "Prompt for the password.")
        private char @Nullable [] typed;
    }

    public LoginOptions() {}

    /**
     * Returns a data source for a database of this user. Opens no connection, and never creates a database in a file.
     * Its error messages contain neither the password nor parameters of the URL.
     *
     * @param option the option with the URL, for messages
     * @param url the JDBC URL
     * @return a data source that opens a new connection for each request; its {@code toString} has no secrets
     * @throws BadInputException if no driver accepts the URL, or the password cannot be read
     */
    public UrlDataSource dataSource(String option, String url) {
        checkDriver(option, url);
        return UrlDataSource.ofExisting(url, user, password(), timeout());
    }

    private static void checkDriver(String option, String url) {
        try {
            DriverManager.getDriver(JdbcUrl.checked(url));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(option + " " + e.getMessage());
        } catch (SQLException e) {
            throw new BadInputException(
                    "no JDBC driver accepts " + new JdbcUrl(url)
                            + "; idgen.jar contains those of H2, PostgreSQL and MariaDB; add another"
                            + " one with java -cp idgen.jar:driver.jar io.idgen.cli.Idgen",
                    e);
        }
    }

    /**
     * Returns the timeout for connecting.
     *
     * @return more than zero
     */
    public Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /**
     * Returns the database user.
     *
     * @return the user; empty if the URL contains it
     */
    public String user() {
        return user;
    }

    /**
     * Returns the password, from the file, the prompt or the environment.
     *
     * @return the password; empty if there is none
     * @throws BadInputException if the file cannot be read
     */
    public String password() {
        if (password != null && password.typed != null) {
            return new String(password.typed);
        }
        if (password != null && password.file != null) {
            return firstLine(password.file);
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
