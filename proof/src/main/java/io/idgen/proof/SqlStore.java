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

    /** Allows the creation of functions on a server of MariaDB or MySQL. */
    static void allowFunctions(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, "SET GLOBAL log_bin_trust_function_creators = 1");
        }
    }

    final void createTables() throws SQLException {
        IdgenSchema schema = new IdgenSchema(new UrlDataSource(url(0), "", "", Terms.TIMEOUT.multipliedBy(10)));
        schema.create();
        try (Connection connection = connect()) {
            for (String statement : schema.functionsScript()
                    .replaceAll("(?m)^(DELIMITER |--).*$", "")
                    .strip()
                    .split("//\\s*")) {
                execute(connection, statement);
            }
            execute(
                    connection,
                    "INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('" + Source.FUNCTION.text()
                            + "', 1, 1)");
        }
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
