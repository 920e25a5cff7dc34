package io.idgen.jdbc.internal.connection;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises failures to connect for which a caller need not wait: a wrong or expired password, an unknown database, a
 * URL without a driver, too many connections, a port on which nothing listens. A timeout is not such a failure, nor is
 * a server that is starting.
 */
public final class ConnectionRefusal {
    /** Too many connections: of the server, or the pool of the application. */
    static final String NO_MORE = "53300";

    // SQL standard: invalid authorization, no such database, access to it denied, the server rejects the connection.
    // Drivers of all databases use these classes for the login, because no statement has been sent yet.
    private static final Pattern STATES = Pattern.compile("28...|3D...|42...|08004|" + NO_MORE);

    // The account, with the general state HY000: MySQL's and MariaDB's error numbers for an expired password (1820,
    // 1862) and a locked account (3118, 4151).
    private static final Set<Integer> ACCOUNT = Set.of(1820, 1862, 3118, 4151);

    // What only the message shows: java.sql.DriverManager
    private static final String NO_DRIVER = "No suitable driver";

    // MySQL Connector/J, which has the state of a broken connection; MariaDB Connector/J
    private static final List<String> NO_KEY =
            List.of("Public Key Retrieval is not allowed", "RSA public key is not available client side");

    private ConnectionRefusal() {}

    /**
     * Returns whether a failure to connect is a refusal.
     *
     * @param failure the data source's exception on connecting
     */
    public static boolean is(@Nullable Throwable failure) {
        return causes(failure).anyMatch(each -> isByNetwork(each) || (each instanceof SQLException e && isRefusal(e)));
    }

    private static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    private static boolean isByNetwork(Throwable e) { // nothing listens at the address
        return e instanceof UnknownHostException
                || e instanceof NoRouteToHostException
                || e instanceof ConnectException;
    }

    /**
     * Returns a failure without its causes, which quote the URL, too. It is a refusal if the failure is one.
     *
     * @param message without passwords
     */
    static SQLException without(SQLException failure, String message) {
        boolean isByNetwork = causes(failure).anyMatch(ConnectionRefusal::isByNetwork);
        SQLException safe = new SQLException(
                advised(message),
                failure.getSQLState(),
                failure.getErrorCode(),
                isByNetwork ? new ConnectException("nothing listens at the address") : null);
        safe.setStackTrace(failure.getStackTrace());
        return safe;
    }

    private static boolean isRefusal(SQLException e) {
        String message = String.valueOf(e.getMessage());
        String state = String.valueOf(e.getSQLState());
        return STATES.matcher(state).matches()
                || (state.equals("HY000") && ACCOUNT.contains(e.getErrorCode()))
                || message.contains(NO_DRIVER)
                || needsKey(message);
    }

    private static boolean needsKey(String message) {
        return NO_KEY.stream().anyMatch(message::contains);
    }

    /** Returns a driver's message, with the way out where the message does not name it. */
    private static String advised(String message) {
        return needsKey(message)
                ? message + "; the server wants the password of this user in full: connect with TLS (sslMode in the"
                        + " URL), or set allowPublicKeyRetrieval=true if nobody can come between"
                : message;
    }
}
