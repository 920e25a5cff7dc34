package io.idgen.hibernate;

import jakarta.persistence.EntityManagerFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/** A persistence unit for a test, and what it sends to its database. */
final class Unit implements AutoCloseable {
    private final EntityManagerFactory factory;

    /** How many statements were sent that were no batches. */
    final AtomicInteger statements;

    final AtomicInteger batches;
    final AtomicInteger connections;

    private Unit(EntityManagerFactory factory, Counts counts) {
        this.factory = factory;
        this.statements = counts.statements;
        this.batches = counts.batches;
        this.connections = counts.connections;
    }

    static Builder of(Class<?>... entities) {
        return new Builder(entities);
    }

    EntityManagerFactory factory() {
        return factory;
    }

    /** Persists in a transaction of its own. */
    void persist(Object... entities) {
        factory.runInTransaction(manager -> {
            for (Object entity : entities) {
                manager.persist(entity);
            }
        });
    }

    <T> T read(Class<T> type, Object id) {
        return factory.callInTransaction(manager -> manager.find(type, id));
    }

    long count(Class<?> entity) {
        return factory.callInTransaction(
                manager -> manager.createQuery("select count(e) from " + entity.getSimpleName() + " e", Long.class)
                        .getSingleResult());
    }

    void resetCounts() {
        statements.set(0);
        batches.set(0);
        connections.set(0);
    }

    @Override
    public void close() {
        factory.close();
    }

    private record Counts(AtomicInteger statements, AtomicInteger batches, AtomicInteger connections) {}

    static final class Builder {
        private static final AtomicLong NAMES = new AtomicLong();

        private final HibernatePersistenceConfiguration configuration =
                new HibernatePersistenceConfiguration("unit-" + NAMES.incrementAndGet());
        private final Map<String, Object> settings = new LinkedHashMap<>();
        private final Counts counts = new Counts(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());

        private Builder(Class<?>... entities) {
            configuration.managedClasses(entities);
            settings.put("hibernate.hbm2ddl.auto", "update");
            settings.put("hibernate.jdbc.batch_size", "50");
            settings.put("hibernate.order_inserts", "true");
        }

        Builder set(String key, Object value) {
            settings.put(key, value);
            return this;
        }

        Builder url(String url) {
            return set("jakarta.persistence.jdbc.url", url);
        }

        Builder dataSource(DataSource dataSource) {
            return set("jakarta.persistence.nonJtaDataSource", dataSource);
        }

        /** What goes through the data source is counted. */
        Builder countedDataSource(DataSource dataSource) {
            return dataSource(ProxyDataSourceBuilder.create(dataSource)
                    .afterQuery((execution, queries) ->
                            (execution.isBatch() ? counts.batches : counts.statements).incrementAndGet())
                    .afterMethod(call -> {
                        if (call.getMethod().getName().equals("getConnection")) {
                            counts.connections.incrementAndGet();
                        }
                    })
                    .build());
        }

        Unit boot() {
            configuration.properties(settings);
            return new Unit(configuration.createEntityManagerFactory(), counts);
        }
    }
}
