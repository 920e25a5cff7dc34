package io.idgen.framework.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.hibernate.EntityIds;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.hibernate.reactive.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.blockhound.BlockHound;

/** Ids on the event loops of Vert.x, under BlockHound, from the first id of the application to an outage. */
@Tag("matrix")
class EventLoopTest {
    /** Calls of Hibernate and idgen that have blocked an event loop. */
    private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

    private final Database database = TestDatabase.POSTGRESQL.create();
    private final FaultProxy idgenOnly = FaultProxy.before(database.plainUrl());
    private SessionFactory factory;

    @BeforeAll
    static void seeBlockingCalls() {
        BlockHound.builder()
                .loadIntegrations()
                .nonBlockingThreadPredicate(any -> thread -> thread.getName().startsWith("vert.x-eventloop"))
                .blockingMethodCallback(method -> {
                    // without the locks and the log-in of Vert.x itself
                    Arrays.stream(new Throwable().getStackTrace())
                            .map(StackTraceElement::getClassName)
                            .filter(EventLoopTest::isTested)
                            .findFirst()
                            .ifPresent(caller -> BLOCKED.add(method + " in " + caller));
                })
                .install();
    }

    private static boolean isTested(String className) {
        return className.startsWith("org.hibernate.") || className.matches("io\\.idgen\\.(core|hibernate|jdbc)\\..*");
    }

    @AfterEach
    void drop() {
        if (factory != null) {
            factory.close();
        }
        idgenOnly.close();
        database.close();
    }

    @AfterEach
    void noEventLoopWasBlocked() {
        assertThat(BLOCKED).isEmpty();
    }

    private Stage.SessionFactory start(String... settings) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Letter.class)
                .addAnnotatedClass(Parcel.class)
                .addAnnotatedClass(Stamp.class)
                .addAnnotatedClass(Note.class)
                .setProperty("jakarta.persistence.jdbc.url", database.plainUrl())
                .setProperty("jakarta.persistence.jdbc.user", database.user())
                .setProperty("jakarta.persistence.jdbc.password", database.password())
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("idgen.jdbc.url", idgenOnly.url())
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

    @Test
    void aBlockingCallIsNoticed() {
        Stage.SessionFactory sessions = start("idgen.strategy", "sequence-table", "idgen.acquire-timeout", "1m");
        IdSource ids = EntityIds.of(factory, "letter");

        sessions.withTransaction(session -> {
                    ids.nextIds(100);
                    return session.persist(new Letter());
                })
                .toCompletableFuture()
                .join();

        assertThat(BLOCKED).as("without this the other tests prove nothing").isNotEmpty();
        BLOCKED.clear();
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

    @Test
    void aPartOfACompositeIdComesFromATableWithoutABlockedEventLoop() {
        Stage.SessionFactory sessions = start("idgen.strategy", "sequence-table");
        persistedAtLast(sessions);
        List<Stamp> stamps = Stream.generate(Stamp::new).limit(100).toList();
        List<CompletableFuture<Void>> all = stamps.stream()
                .map(stamp -> sessions.withTransaction(session -> session.persist(stamp))
                        .toCompletableFuture())
                .toList();
        all.forEach(CompletableFuture::join);

        assertThat(stamps.stream().map(stamp -> stamp.key.number))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
    }

    @Test
    void manyTransactionsShareTheSourceOfATable() {
        Stage.SessionFactory sessions = start("idgen.strategy", "sequence-table");
        long first = persistedAtLast(sessions).id;
        List<CompletableFuture<Letter>> letters =
                Stream.generate(() -> persisted(sessions)).limit(50).toList();

        assertThat(letters.stream().map(letter -> letter.join().id))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(first + 1, first + 50).boxed().toList());
    }

    @Test
    void anOutageFailsTheRequestAndLaterOnesSucceed() {
        Stage.SessionFactory sessions =
                start("idgen.strategy", "sequence-table", "idgen.acquire-timeout", "1s", "idgen.jdbc.timeout", "1s");
        long first = persistedAtLast(sessions).id;

        idgenOnly.refuse();
        assertThatThrownBy(() -> persisted(sessions).join())
                .hasStackTraceContaining(IdUnavailableException.class.getName());

        idgenOnly.pass();
        assertThat(persistedAtLast(sessions).id).isGreaterThan(first);
    }
}
