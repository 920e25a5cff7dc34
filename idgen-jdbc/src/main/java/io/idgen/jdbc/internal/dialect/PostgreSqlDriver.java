package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect.Restoration;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * The driver of PostgreSQL, where the application has it: it prepares statements on the server when they have been executed a
 * few times, and a commit at once. Behind a pooler, the next transaction may use a session that has not prepared them.
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
     * Keeps the driver from preparing anything on the server. Sends nothing.
     *
     * @param connection of any driver
     * @return lets it prepare statements again as before; does nothing if the connection does not show that it is PostgreSQL's
     * @throws SQLException if the driver refuses
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
