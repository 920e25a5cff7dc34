package io.idgen.benchmarks.insert;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A contender with its own database, pool and session factory, as in an application. HikariCP and Hibernate have their
 * defaults, except for the batch size.
 */
final class Unit implements AutoCloseable {
    private final Contender contender;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Server server;
    private final @Nullable FaultProxy network;
    private final DataSource dataSource;
    private final SessionFactory factory;

    /**
     * The connection to the database.
     *
     * @param latency the latency of the network
     * @param pool the size of the pool
     * @param connectionTimeout how long a thread waits for a connection
     * @param counter counts the SQL traffic, which costs time
     */
    record Wiring(
            Latency latency,
            int pool,
            Duration connectionTimeout,
            @Nullable StatementCounter counter) {}

    Unit(Contender contender, Server server, boolean overNetwork, Wiring wiring) throws SQLException {
        this.contender = contender;
        this.server = server;
        Database database = server.create(overNetwork);
        opened.push(database);
        String url;
        if (overNetwork && (!wiring.latency.isNone() || wiring.counter != null)) {
            network = wiring.latency.before(database);
            opened.push(network);
            url = network.url();
        } else {
            network = null;
            url = database.plainUrl();
        }
        dataSource = pool(server.dataSource(url, database), wiring);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : contender.preparation()) {
                statement.execute(sql);
            }
        }
        factory = boot("create");
    }

    private DataSource pool(DataSource driver, Wiring wiring) {
        StatementCounter counter = wiring.counter;
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(counter == null ? driver : counter.countingStatements(driver));
        pool.setMaximumPoolSize(wiring.pool);
        pool.setConnectionTimeout(wiring.connectionTimeout.toMillis());
        pool.setPoolName(contender.label());
        opened.push(pool);
        return counter == null ? pool : counter.countingConnections(pool);
    }

    private SessionFactory boot(String tables) {
        SessionFactory booted = new HibernatePersistenceConfiguration(contender.label())
                .managedClasses(contender.mapping().entities())
                .properties(contender.settings())
                .property("idgen.jdbc.initialize-schema", "always")
                .property("jakarta.persistence.nonJtaDataSource", dataSource)
                .property("hibernate.hbm2ddl.auto", tables)
                .property("hibernate.jdbc.batch_size", "50")
                .property("hibernate.order_inserts", "true")
                .createEntityManagerFactory();
        opened.push(booted);
        return booted;
    }

    Contender contender() {
        return contender;
    }

    /** Creates a second unit on the same database, like a second instance of the application; closed with this one. */
    SessionFactory another() {
        return boot("none");
    }

    SessionFactory factory() {
        return factory;
    }

    /** Inserts one order with its lines, in one transaction. */
    void insert() {
        factory.inTransaction(contender.mapping()::persist);
    }

    void inTransaction(Consumer<Session> work) {
        factory.inTransaction(work);
    }

    void inStatelessTransaction(Consumer<StatelessSession> work) {
        factory.inStatelessTransaction(work);
    }

    /** Returns the number of round trips of all connections, if they use a proxy. */
    long roundTrips() {
        return network == null ? 0 : network.requests();
    }

    /** Returns the product and its driver, with versions. */
    String describe() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return Server.describe(connection);
        }
    }

    /** Returns the process of the server, if it is known. */
    Optional<ProcessHandle> serverProcess() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return server.process(connection);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        closeAll(List.copyOf(opened));
    }

    private static void closeAll(List<AutoCloseable> inOrder) {
        for (AutoCloseable each : inOrder) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing " + each + " failed", e);
            }
        }
    }
}
