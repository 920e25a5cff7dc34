package io.idgen.proof;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Calls {@code idgen_next} on a connection that lasts until a call fails, as a program without idgen does. */
final class SqlFunction implements AutoCloseable {
    private static final String CALL = "SELECT idgen_next('" + Source.FUNCTION.text() + "')";

    private final DataSource database;
    private @Nullable Connection connection;

    SqlFunction(String url) {
        this.database = new UrlDataSource(url, "", "", Terms.TIMEOUT);
    }

    synchronized long nextId() throws SQLException {
        Connection used = connection;
        if (used == null) {
            used = database.getConnection();
            connection = used;
        }
        try {
            used.setNetworkTimeout(Runnable::run, (int) Terms.TIMEOUT.toMillis());
            try (Statement statement = used.createStatement();
                    ResultSet row = statement.executeQuery(CALL)) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            try {
                close();
            } catch (SQLException notClosed) {
                e.addSuppressed(notClosed);
            }
            throw e;
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        Connection used = connection;
        connection = null;
        if (used != null) {
            used.close();
        }
    }
}
