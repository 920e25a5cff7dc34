package io.idgen.hibernate;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.Configuration;

/**
 * A session factory for a test, which counts the traffic to its database. Uses only methods that every version of
 * Hibernate has.
 */
final class Unit implements AutoCloseable {
    private final SessionFactory factory;

    /** The number of statements outside batches. */
    final AtomicInteger statements;

    final AtomicInteger batches;
    final AtomicInteger connections;

    private Unit(SessionFactory factory, Counts counts) {
        this.factory = factory;
        this.statements = counts.statements;
        this.batches = counts.batches;
        this.connections = counts.connections;
    }

    static Builder of(Class<?>... entities) {
        return new Builder(entities);
    }

    SessionFactory factory() {
        return factory;
    }

    void inTransaction(Consumer<Session> work) {
        factory.inTransaction(work);
    }

    void inStatelessTransaction(Consumer<StatelessSession> work) {
        factory.inStatelessTransaction(work);
    }

    /** Inserts with a stateless session, by reflection: the method's return type differs between Hibernate 7 and 8. */
    void insertStateless(Object entity) {
        factory.inStatelessTransaction(session -> {
            try {
                StatelessSession.class.getMethod("insert", Object.class).invoke(session, entity);
            } catch (InvocationTargetException e) {
                throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Persists entities in one transaction. */
    void persist(Object... entities) {
        factory.inTransaction(session -> {
            for (Object entity : entities) {
                session.persist(entity);
            }
        });
    }

    <T> T read(Class<T> type, Object id) {
        return factory.fromTransaction(session -> session.find(type, id));
    }

    /** Returns the number of rows of an entity, by its name in HQL. */
    long count(String entity) {
        return factory.fromTransaction(
                session -> session.createSelectionQuery("select count(*) from " + entity, Long.class)
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
        private final Configuration configuration = new Configuration();
        private final Counts counts = new Counts(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());

        private Builder(Class<?>... entities) {
            for (Class<?> entity : entities) {
                configuration.addAnnotatedClass(entity);
            }
            set("hibernate.hbm2ddl.auto", "update");
            set("hibernate.jdbc.batch_size", "50");
            set("hibernate.order_inserts", "true");
        }

        Builder set(String key, Object value) {
            configuration.getProperties().put(key, value);
            return this;
        }

        /** Applies configuration that only Hibernate's native bootstrap supports. */
        Builder with(Consumer<Configuration> more) {
            more.accept(configuration);
            return this;
        }

        /**
         * Uses ids from a table that idgen creates when needed. The timeout is longer than that of applications: under
         * load, the first refill of a process takes longer.
         */
        Builder segments() {
            return set("idgen.strategy", "segment")
                    .set("idgen.jdbc.initialize-schema", "always")
                    .set("idgen.acquire-timeout", "1m");
        }

        Builder url(String url) {
            return set("jakarta.persistence.jdbc.url", url);
        }

        /**
         * Uses a database of this run's kind. If Hibernate does not see that no other process can open it, the settings
         * declare this process to be the only one.
         */
        Builder on(Database database) {
            return alone(database).url(database.url());
        }

        private Builder alone(Database database) {
            return database.kind() == TestDatabase.H2 && !Run.isBefore("7.0")
                    ? this
                    : set("idgen.worker.assigner", "single-process");
        }

        Builder dataSource(DataSource dataSource) {
            return set("jakarta.persistence.nonJtaDataSource", dataSource);
        }

        /** Uses a database as {@link #on} does, and counts the traffic of its data source. */
        Builder countedOn(Database database) {
            return alone(database).counted(database.dataSource());
        }

        /** Counts the traffic of a data source. */
        Builder counted(DataSource dataSource) {
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
            return new Unit(configuration.buildSessionFactory(), counts);
        }
    }
}
