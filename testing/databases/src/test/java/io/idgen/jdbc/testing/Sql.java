package io.idgen.jdbc.testing;

import static org.assertj.core.api.Assertions.fail;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Runs statements of tests, each on a new connection if none is given. */
public final class Sql {
    private Sql() {}

    public static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, sql);
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static long number(DataSource dataSource, String sql) throws SQLException {
        return Long.parseLong(rows(dataSource, sql).get(0));
    }

    /** Returns the rows of a query. Each row is a text with its values, separated by bars. */
    public static List<String> rows(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return rows(connection, sql);
        }
    }

    public static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.add(rows.getString(i));
                }
                found.add(String.join(" | ", values));
            }
            return found;
        }
    }

    /** Waits for a PostgreSQL session in this database that waits for a lock. Returns its process id. */
    public static String sessionThatWaits(DataSource postgreSql) throws SQLException {
        for (int i = 0; i < 10_000; i++) {
            List<String> waiting = rows(
                    postgreSql,
                    "SELECT pid FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
            if (!waiting.isEmpty()) {
                return waiting.get(0);
            }
        }
        return fail("no session waits for a lock");
    }
}
