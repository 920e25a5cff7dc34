package io.idgen.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGStatement;

/** Settings of PostgreSQL's own driver, where the application has it. */
public final class PostgreSqlStatements {
    private static final boolean HAS_DRIVER = hasDriver();

    private PostgreSqlStatements() {}

    private static boolean hasDriver() {
        try {
            return PGStatement.class.isInterface();
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    /**
     * Keeps the driver from preparing a statement on the server when it has been executed a few times. Has no effect on
     * statements of other drivers, and of a driver whose classes idgen does not see.
     *
     * @param statement not yet executed
     * @throws SQLException if the driver refuses
     */
    public static void prepareNothing(Statement statement) throws SQLException {
        if (HAS_DRIVER && statement instanceof PreparedStatement && statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
    }
}
