package io.idgen.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The driver of PostgreSQL, where the application has it: it prepares statements on the server when they have been executed a
 * few times, and a commit at once. Behind a pooler, the next transaction may use a session that has not prepared them.
 */
public final class PostgreSqlDriver {
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
     * @return what {@link #restore} needs, or null if the connection is another driver's or does not show that it is this one's
     * @throws SQLException if the driver refuses
     */
    public static @Nullable Integer prepareNothing(Connection connection) throws SQLException {
        if (!IS_PRESENT || !connection.isWrapperFor(PGConnection.class)) {
            return null;
        }
        PGConnection postgreSql = connection.unwrap(PGConnection.class);
        int before = postgreSql.getPrepareThreshold();
        postgreSql.setPrepareThreshold(0);
        return before;
    }

    /**
     * Lets the driver prepare statements on the server as it did before {@link #prepareNothing}.
     *
     * @param connection the same
     * @param prepareThreshold what was returned, not null
     * @throws SQLException if the driver refuses
     */
    public static void restore(Connection connection, int prepareThreshold) throws SQLException {
        connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
    }
}
