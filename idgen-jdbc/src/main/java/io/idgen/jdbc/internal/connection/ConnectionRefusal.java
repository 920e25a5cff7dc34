package io.idgen.jdbc.internal.connection;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the failures to connect that a caller need not wait for: a wrong password, an unknown database, too many
 * connections, a port on which nothing listens. A timeout is none of them, and neither is a server that is starting.
 */
public final class ConnectionRefusal {
    // Of the SQL standard; drivers of all databases use them for the login, since no statement has been sent yet.
    private static final Set<String> CLASSES = Set.of(
            "28", // invalid authorization
            "3D", // no such database
            "42"); // access to it denied
    private static final Set<String> STATES = Set.of(
            "08004", // the server rejects the connection
            "53300"); // too many connections

    private ConnectionRefusal() {}

    /**
     * Returns whether a failure to connect is a refusal.
     *
     * @param failure what a data source threw when it should connect
     */
    public static boolean is(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof PoolUsedUpException || (each instanceof SQLException e && hasStateOfRefusal(e))) {
                return true;
            }
        }
        return byNetwork(failure) != null;
    }

    /** The cause by which nothing listens at the address, or null if that is not the cause. */
    static @Nullable Throwable byNetwork(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof NoRouteToHostException
                    || each instanceof UnknownHostException) {
                return each;
            }
        }
        return null;
    }

    private static boolean hasStateOfRefusal(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && (STATES.contains(state) || (state.length() == 5 && CLASSES.contains(state.substring(0, 2))));
    }
}
