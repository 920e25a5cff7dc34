package io.idgen.shardingsphere;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

/** Inserts orders through ShardingSphere in a separate process, until all are inserted or one has a duplicate key. */
final class OrderProcess {
    static final String READY = "ready";
    static final String INSERTED = "inserted";
    static final String DUPLICATE = "duplicate key";

    private OrderProcess() {}

    /**
     * Prints that it is ready, waits for a line, inserts, and prints how it ended.
     *
     * @param arguments the configuration, and how many statements to send, of how many rows each
     */
    public static void main(String[] arguments) throws SQLException, IOException {
        int statements = Integer.parseInt(arguments[1]);
        int rows = Integer.parseInt(arguments[2]);
        DataSource shop = shop(arguments[0]);
        insert(shop, 1);
        System.out.println(READY);
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        try {
            for (int i = 0; i < statements; i++) {
                insert(shop, rows);
            }
            System.out.println(INSERTED);
        } catch (SQLException e) {
            if (!"23505".equals(e.getSQLState())) {
                throw e;
            }
            System.out.println(DUPLICATE);
        }
        System.exit(0); // ShardingSphere keeps threads
    }

    /** Returns the configuration of the page, with these values. */
    static String configuration(Map<String, String> values) {
        try (var file = OrderProcess.class.getResourceAsStream("/sharding.yaml")) {
            String configuration = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            for (Map.Entry<String, String> value : values.entrySet()) {
                configuration = configuration.replace("${" + value.getKey() + "}", value.getValue());
            }
            return configuration;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static DataSource shop(String configuration) throws SQLException, IOException {
        return YamlShardingSphereDataSourceFactory.createDataSource(configuration.getBytes(StandardCharsets.UTF_8));
    }

    /** Inserts orders with one statement, and returns the key of the first. */
    static long insert(DataSource shop, int rows) throws SQLException {
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO orders (customer) VALUES " + "('Dorothea'), ".repeat(rows - 1) + "('Dorothea')",
                    Statement.RETURN_GENERATED_KEYS);
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }
}
