package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect.Restoration;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * Access to settings of PostgreSQL's driver, if it is on the class path. The driver prepares a statement on the server
 * after it has run a few times, and a commit at once. Behind a pooler, the next transaction may run in a session
 * without the prepared statement.
 */
final class PostgreSqlDriver {
    private static final boolean IS_PRESENT = isPresent();

    private PostgreSqlDriver() {}

    private static boolean isPresent() {
        try {
            return PGConnection.class.isInterface();
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    /**
     * Turns server-side prepared statements off. Sends nothing to the server.
     *
     * @param connection a connection of any driver
     * @return restores the driver's setting; does nothing if the connection does not unwrap to one of PostgreSQL's
     *     driver
     * @throws SQLException if the driver fails
     */
    static Restoration prepareNothing(Connection connection) throws SQLException {
        if (!IS_PRESENT || !connection.isWrapperFor(PGConnection.class)) {
            return () -> {};
        }
        PGConnection postgreSql = connection.unwrap(PGConnection.class);
        int before = postgreSql.getPrepareThreshold();
        postgreSql.setPrepareThreshold(0);
        return () -> connection.unwrap(PGConnection.class).setPrepareThreshold(before);
    }
}
