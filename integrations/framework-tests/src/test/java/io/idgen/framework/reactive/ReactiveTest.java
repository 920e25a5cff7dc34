package io.idgen.framework.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.hibernate.reactive.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hibernate Reactive on PostgreSQL, with idgen on the class path. */
class ReactiveTest {
    private final Database database = TestDatabase.POSTGRESQL.create();

    @AfterEach
    void drop() {
        database.close();
    }

    private void with(Configuration configuration, Consumer<Stage.SessionFactory> test) {
        configuration
                .setProperty("jakarta.persistence.jdbc.url", database.plainUrl())
                .setProperty("jakarta.persistence.jdbc.user", database.user())
                .setProperty("jakarta.persistence.jdbc.password", database.password())
                .setProperty("hibernate.hbm2ddl.auto", "update");
        try (SessionFactory factory = configuration.buildSessionFactory(new ReactiveServiceRegistryBuilder()
                .applySettings(configuration.getProperties())
                .build())) {
            test.accept(factory.unwrap(Stage.SessionFactory.class));
        }
    }

    private static <T> T persist(Stage.SessionFactory factory, T entity) {
        factory.withTransaction(session -> session.persist(entity))
                .toCompletableFuture()
                .join();
        return entity;
    }

    @Test
    void entitiesWithoutIdsOfIdgenArePersistedAndMerged() {
        with(new Configuration().addAnnotatedClass(Note.class).addAnnotatedClass(Letter.class), factory -> {
            Note note = new Note();
            note.id = "one";
            persist(factory, note);
            Note other = new Note();
            other.id = "two";
            Note merged = factory.withTransaction(session -> session.merge(other))
                    .toCompletableFuture()
                    .join();

            assertThat(merged.id).isEqualTo("two");
        });
    }

    @Test
    void anEntityGetsItsSnowflakeAlsoWhereTheSourcesStartWithTheBoot() {
        with(
                new Configuration()
                        .addAnnotatedClass(Note.class)
                        .addAnnotatedClass(Letter.class)
                        .setProperty("idgen.startup", "eager"),
                factory -> assertThat(persist(factory, new Letter()).id).isGreaterThan(1L << 40));
    }
}
