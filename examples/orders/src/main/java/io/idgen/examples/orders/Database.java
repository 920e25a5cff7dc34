package io.idgen.examples.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * The database of the example: a pool for the orders and a pool that only idgen uses, both counted, and the schemas of
 * both.
 */
final class Database implements AutoCloseable {
    private final HikariDataSource ordersPool;
    private final HikariDataSource idgenPool;
    private final StatementCounter ordersCounter = new StatementCounter();
    private final StatementCounter idgenCounter = new StatementCounter();

    Database(String url, String user, String password) {
        this.ordersPool = pool("orders", url, user, password, 4);
        this.idgenPool = pool("idgen", url, user, password, 2);
    }

    private static HikariDataSource pool(String name, String url, String user, String password, int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** Migrates the example's tables, and idgen's with their own history table. */
    void migrate() {
        Flyway.configure()
                .dataSource(ordersPool)
                .locations("classpath:db/orders")
                .table("example_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
        Flyway.configure()
                .dataSource(idgenPool)
                .locations(new IdgenSchema(idgenPool).flywayLocation())
                .table(IdgenSchema.FLYWAY_TABLE)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }

    /** Returns the pool for the orders, whose traffic is counted. */
    DataSource forOrders() {
        return ordersCounter.counting(ordersPool);
    }

    /** Returns the pool that only idgen uses, whose traffic is counted. */
    DataSource forIdgen() {
        return idgenCounter.counting(idgenPool);
    }

    StatementCounter ordersCounter() {
        return ordersCounter;
    }

    StatementCounter idgenCounter() {
        return idgenCounter;
    }

    String description() throws SQLException {
        try (Connection connection = ordersPool.getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion() + ", "
                    + ordersPool.getJdbcUrl().replaceAll("[?;].*", "");
        }
    }

    /** Returns the number that a query selects. */
    long count(String sql) throws SQLException {
        try (Connection connection = ordersPool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        ordersPool.close();
        idgenPool.close();
    }
}
