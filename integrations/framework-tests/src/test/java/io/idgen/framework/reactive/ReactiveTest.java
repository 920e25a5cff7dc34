package io.idgen.framework.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.hibernate.SnowflakeId;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.hibernate.reactive.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of Hibernate Reactive. */
@Tag("matrix")
class ReactiveTest {
    private final Database database = TestDatabase.POSTGRESQL.create();
    private SessionFactory factory;

    @AfterEach
    void drop() {
        if (factory != null) {
            factory.close();
        }
        database.close();
    }

    private Stage.SessionFactory start(String... settings) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Letter.class)
                .addAnnotatedClass(Parcel.class)
                .addAnnotatedClass(Note.class)
                .setProperty("jakarta.persistence.jdbc.url", database.plainUrl())
                .setProperty("jakarta.persistence.jdbc.user", database.user())
                .setProperty("jakarta.persistence.jdbc.password", database.password())
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("idgen.jdbc.url", database.plainUrl())
                .setProperty("idgen.jdbc.user", database.user())
                .setProperty("idgen.jdbc.password", database.password())
                .setProperty("idgen.jdbc.initialize-schema", "always");
        for (int i = 0; i < settings.length; i += 2) {
            configuration.setProperty(settings[i], settings[i + 1]);
        }
        factory = configuration.buildSessionFactory(new ReactiveServiceRegistryBuilder()
                .applySettings(configuration.getProperties())
                .build());
        return factory.unwrap(Stage.SessionFactory.class);
    }

    private static CompletableFuture<Letter> persisted(Stage.SessionFactory sessions) {
        Letter letter = new Letter();
        return sessions.withTransaction(session -> session.persist(letter))
                .thenApply(any -> letter)
                .toCompletableFuture();
    }

    /** Persists a letter; tries it again, because a loaded machine may need longer than the timeout. */
    private static Letter persistedAtLast(Stage.SessionFactory sessions) {
        for (int attempts = 0; attempts < 30; attempts++) {
            try {
                return persisted(sessions).join();
            } catch (CompletionException e) {
                // the next attempt decides
            }
        }
        return persisted(sessions).join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "eager"})
    void theFirstEntityGetsASnowflake(String startup) {
        assertThat(persistedAtLast(start("idgen.startup", startup)).id).isGreaterThan(1L << 40);
    }

    @Test
    void anEntityWithoutAnIdOfIdgenIsPersistedAndMerged() {
        Stage.SessionFactory sessions = start();
        Note note = new Note();
        note.id = "one";
        sessions.withTransaction(session -> session.persist(note))
                .toCompletableFuture()
                .join();
        note.id = "two";

        assertThat(sessions.withTransaction(session -> session.merge(note))
                        .toCompletableFuture()
                        .join()
                        .id)
                .isEqualTo("two");
    }

    @Test
    void entitiesOfACascadeAndOfAMergeGetIds() {
        Stage.SessionFactory sessions = start();
        Parcel parcel = new Parcel();
        parcel.letters.addAll(List.of(new Letter(), new Letter()));
        persistedAtLast(sessions);
        sessions.withTransaction(session -> session.persist(parcel))
                .toCompletableFuture()
                .join();
        Letter merged = sessions.withTransaction(session -> session.merge(new Letter()))
                .toCompletableFuture()
                .join();

        assertThat(Stream.of(parcel.id, parcel.letters.get(0).id, parcel.letters.get(1).id, merged.id))
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 1L << 40);
    }

    @Test
    void anIdThatIsSetIsKeptWhereTheMappingKeepsIt() {
        Stage.SessionFactory sessions = start();
        Parcel parcel = new Parcel();
        parcel.id = 7L;
        sessions.withTransaction(session -> session.persist(parcel))
                .toCompletableFuture()
                .join();

        assertThat(parcel.id).isEqualTo(7);
    }

    @Entity
    static class Line {
        @Id
        @SnowflakeId
        private Long number;

        @Id
        private long tenant;
    }

    @Test
    void aPartOfACompositeIdIsRefused() {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Line.class)
                .setProperty("jakarta.persistence.jdbc.url", database.plainUrl())
                .setProperty("jakarta.persistence.jdbc.user", database.user())
                .setProperty("jakarta.persistence.jdbc.password", database.password());

        assertThatThrownBy(() -> configuration.buildSessionFactory(new ReactiveServiceRegistryBuilder()
                        .applySettings(configuration.getProperties())
                        .build()))
                .hasMessageContaining("IDGEN-504")
                .hasMessageContaining("Hibernate Reactive");
    }

    @Test
    void aStatelessSessionGetsIds() {
        Stage.SessionFactory sessions = start();
        persistedAtLast(sessions);
        Letter letter = new Letter();
        sessions.withStatelessTransaction(session -> session.insert(letter))
                .toCompletableFuture()
                .join();

        assertThat(letter.id).isGreaterThan(1L << 40);
    }
}
