package io.idgen.migrate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connection of a migration. Its statements may take hours, so it has no network timeout. */
final class Session implements AutoCloseable {
    private final Connection connection;
    private int limitSeconds;

    Session(DataSource dataSource) throws SQLException {
        connection = dataSource.getConnection();
        connection.setNetworkTimeout(Runnable::run, 0);
        connection.setAutoCommit(true);
    }

    /** From now on, statements end with an error after that time; 0 for never. */
    void limit(int seconds) {
        limitSeconds = seconds;
    }

    /** Reads a row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    String product() throws SQLException {
        return connection.getMetaData().getDatabaseProductName() + " "
                + connection.getMetaData().getDatabaseProductVersion();
    }

    <T> List<T> query(Reader<T> reader, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet rows = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        }
    }

    long number(String sql, @Nullable Object... values) throws SQLException {
        return query(row -> row.getLong(1), sql, values).get(0);
    }

    boolean isTrue(String sql, @Nullable Object... values) throws SQLException {
        return query(row -> row.getBoolean(1), sql, values).get(0);
    }

    /** Executes a statement. Returns the number of rows that it has changed. */
    long execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(limitSeconds);
            return statement.execute(sql) ? 0 : statement.getUpdateCount();
        }
    }

    /** Executes a statement with values. Returns the number of rows that it has changed. */
    long execute(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(limitSeconds);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /**
     * Executes statements in one transaction, each in a round trip of its own.
     *
     * @return for how long the locks were held, in nanoseconds, at most: from the end of a first LOCK TABLE on
     */
    long transaction(String limit, List<String> sql) throws SQLException {
        connection.setAutoCommit(false);
        try {
            execute(limit);
            long sinceNanos = System.nanoTime();
            for (int i = 0; i < sql.size(); i++) {
                execute(sql.get(i));
                if (i == 0 && sql.get(i).startsWith("LOCK TABLE")) {
                    sinceNanos = System.nanoTime();
                }
            }
            connection.commit();
            return System.nanoTime() - sinceNanos;
        } catch (SQLException e) {
            rollBack(e, sql.get(0).startsWith("LOCK TABLES "));
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private void rollBack(SQLException cause, boolean hasTableLocks) {
        try {
            connection.rollback();
            if (hasTableLocks) { // of MariaDB and MySQL, which do not end with a transaction
                execute("UNLOCK TABLES");
            }
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
