package io.idgen.proof;

import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A database with idgen's tables. */
abstract class SqlStore implements Store {

    final void createTables() {
        new IdgenSchema(new UrlDataSource(url(0), "", "", Terms.TIMEOUT.multipliedBy(10))).create();
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(url(0));
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String version() throws SQLException {
        try (Connection connection = connect()) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    /** Opens connections until the server refuses more. */
    final Cure useUpConnections() throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (true) {
                all.add(connect());
            }
        } catch (SQLException e) {
            if (all.isEmpty()) {
                throw e;
            }
            return () -> {
                for (Connection each : all) {
                    each.close();
                }
            };
        }
    }
}
