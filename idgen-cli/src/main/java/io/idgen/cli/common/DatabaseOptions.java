package io.idgen.cli.common;

import io.idgen.jdbc.internal.connection.UrlDataSource;
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
 * Which database a command speaks to: a mixin. A password is never an argument, where every user of the machine could read it
 * in the list of processes.
 */
public final class DatabaseOptions {

    /** The environment variable that holds the password, if no option says where else it is: {@value}. */
    public static final String PASSWORD_VARIABLE = "IDGEN_JDBC_PASSWORD";

    @Option(names = "--url", paramLabel = "<jdbc-url>", description = "The database, as its JDBC driver names it.")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "<name>", description = "Who connects, if the URL does not say it.")
    private String user = "";

    @ArgGroup
    private @Nullable PasswordFrom password;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "5",
            description = "How long connecting may take. Default: ${DEFAULT-VALUE} s.")
    private int timeoutSeconds;

    /** Where the password comes from; the environment if neither is given. */
    private static final class PasswordFrom {
        @Option(
                names = "--password-file",
                paramLabel = "<file>",
                description = "A file whose first line is the password. Without it, " + PASSWORD_VARIABLE
                        + " of the environment.")
        private @Nullable Path file;

        @Option(names = "--password", interactive = true, arity = "0", description = "Ask for the password.")
        private char @Nullable [] typed;
    }

    public DatabaseOptions() {}

    /**
     * Whether a database was named.
     *
     * @return false if the command is to use its default
     */
    public boolean isGiven() {
        return url != null;
    }

    /**
     * Connections to the database. Opens none; where one is refused, neither password nor parameters of the URL are in the
     * message.
     *
     * @return one that connects anew for each request, and is printed without secrets
     * @throws BadInputException if no URL is given or no driver takes it, or the password cannot be read
     */
    public UrlDataSource dataSource() {
        checkDriver();
        return new UrlDataSource(url(), user, password(), Duration.ofSeconds(timeoutSeconds));
    }

    private void checkDriver() {
        try {
            DriverManager.getDriver(url());
        } catch (SQLException e) {
            throw new BadInputException(
                    "no driver takes " + shownUrl()
                            + "; idgen.jar has those of H2, PostgreSQL and MariaDB, another one goes"
                            + " beside it: java -cp idgen.jar:driver.jar io.idgen.cli.Idgen",
                    e);
        }
    }

    /**
     * The URL as it was given, for a driver alone: it may hold a password.
     *
     * @return the URL
     * @throws BadInputException if none is given
     */
    public String url() {
        if (url == null) {
            throw new BadInputException(
                    "no database is given; name one, for example --url jdbc:postgresql://localhost/shop --user shop");
        }
        return url;
    }

    /**
     * The URL without what may be a password.
     *
     * @return for reports and messages
     * @throws BadInputException if none is given
     */
    public String shownUrl() {
        return UrlDataSource.withoutSecrets(url());
    }

    /**
     * Who connects.
     *
     * @return empty if the URL says it
     */
    public String user() {
        return user;
    }

    /**
     * The password, from the file, the prompt or the environment.
     *
     * @return empty if there is none
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
