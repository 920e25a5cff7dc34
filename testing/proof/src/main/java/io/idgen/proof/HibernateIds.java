package io.idgen.proof;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Table;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.JdbcSettings;
import org.jspecify.annotations.Nullable;

/**
 * Persists an entity for each id, in a transaction of its own. The id counts as soon as it is persisted, even if the
 * commit fails. For a single thread.
 */
final class HibernateIds implements AutoCloseable {
    static final String TABLE = "proof_order";

    private static final Duration BETWEEN = Duration.ofMillis(20); // an insert costs more than an id

    /** An entity that has nothing but its id. */
    @Entity
    @Table(name = TABLE)
    static class Order {
        @Id
        @SnowflakeId
        private long id;
    }

    static {
        // tests each connection: H2 keeps those to a database that it has closed, and the pool knows no such SQL state
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
    }

    private final Map<String, String> settings;
    private final HikariDataSource pool = new HikariDataSource();
    private @Nullable SessionFactory factory;

    /** Opens no connection. */
    HibernateIds(String url, Map<String, String> settings) {
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(Terms.TIMEOUT.toMillis());
        pool.setValidationTimeout(Terms.TIMEOUT.toMillis() / 2);
        this.settings = settings;
    }

    /** Reads the database's version. A configuration whose boot failed cannot be used again. */
    private SessionFactory boot() {
        Configuration configuration = new Configuration().addAnnotatedClass(Order.class);
        settings.forEach(configuration::setProperty);
        configuration.setProperty("idgen.worker.namespace", Terms.HIBERNATE);
        configuration.setProperty("idgen.jdbc.timeout", Terms.TIMEOUT.toMillis() + "ms");
        configuration.getProperties().put(JdbcSettings.JAKARTA_NON_JTA_DATASOURCE, pool);
        return configuration.buildSessionFactory();
    }

    long nextId() {
        LockSupport.parkNanos(BETWEEN.toNanos());
        SessionFactory used = factory;
        if (used == null) {
            used = boot();
            factory = used;
        }
        try (Session session = used.openSession()) {
            Transaction transaction = session.beginTransaction();
            Order order = new Order();
            session.persist(order);
            try {
                transaction.commit();
            } catch (PersistenceException e) {
                System.err.println(Source.HIBERNATE.text() + " does not commit: " + e.getMessage());
            }
            return order.id;
        }
    }

    @Override
    public void close() {
        SessionFactory used = factory;
        if (used != null) {
            used.close();
        }
        pool.close();
    }
}
