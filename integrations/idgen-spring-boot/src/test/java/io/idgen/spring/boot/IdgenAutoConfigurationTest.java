package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;

class IdgenAutoConfigurationTest {
    private static final String COPY = "insert into Book (title) select title from Book";

    private static final String TEMPORARY_TABLES =
            "org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableInsertStrategy";

    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private static ConfigurableApplicationContext start(Database database, String... settings) {
        return Application.start(Shop.class, database, settings);
    }

    @Test
    void anEntityGetsItsIdWithoutASetting() {
        try (ConfigurableApplicationContext shop = start(h2)) {
            Book book = shop.getBean(Books.class).save(new Book("Middlemarch"));

            assertThat(SnowflakeLayout.IDGEN.parse(book.id()).time())
                    .isBetween(
                            Instant.now().minus(Duration.ofDays(1)),
                            Instant.now().plus(Duration.ofDays(1)));
        }
    }

    @Test
    void aStrategyAtTheTopOfTheFileIsThatOfEntities() {
        try (ConfigurableApplicationContext shop = start(h2, "idgen.strategy=segment")) {
            Books books = shop.getBean(Books.class);

            assertThat(books.save(new Book("Emma")).id()).isEqualTo(1);
            assertThat(books.save(new Book("Persuasion")).id()).isEqualTo(2);
        }
    }

    @Test
    void theApplicationAndPersistShareTheSourceOfAnEntity() {
        try (ConfigurableApplicationContext shop = start(h2, "idgen.strategy=segment")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isEqualTo(1);

            assertThat(shop.getBean(IdSources.class).get("Book").nextId()).isEqualTo(2);
            assertThat(shop.getBean(IdSources.class).snapshots().get("Book")).isInstanceOf(SegmentSnapshot.class);
        }
    }

    @Test
    void aNameWithSettingsIsABean() {
        try (ConfigurableApplicationContext shop =
                start(h2, "idgen.sources.parcels.strategy=segment", "idgen.sources.parcels.start=100")) {
            assertThat(shop.getBean(Shop.Counter.class).next()).isEqualTo(100);
            assertThat(shop.getBean("parcelsIdSource", IdSource.class).nextId()).isEqualTo(101);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aPropertyOfJpaAndSettingsOfAnEntityApplyTogether(TestDatabase kind) {
        try (Database database = kind.create();
                ConfigurableApplicationContext shop = start(
                        database,
                        "idgen.startup=eager",
                        "idgen.sources.Book.strategy=segment",
                        "spring.jpa.properties.idgen.segment.max-step=5000")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isEqualTo(1);
            assertThat(shop.getBean("BookIdSource", IdSource.class).nextId()).isEqualTo(2);
            assertThat(shop.getBean(UnitSources.class).snapshots()).containsOnlyKeys("default.Book");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aMisspeltEntityIsRefusedWithFileAndNearestName(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThatThrownBy(() -> start(database, "idgen.sources.Bok.start=5000"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("settings speak of a source 'Bok'", "nearest known are Book");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void idsBeginAboveTheEntitiesIfIdgensTablesAreInAnotherDatabase(TestDatabase kind) {
        try (Database database = kind.create();
                Database ids = kind.create()) {
            JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
            jdbc.execute("CREATE TABLE book (id bigint PRIMARY KEY, title varchar(255))");
            jdbc.execute("INSERT INTO book VALUES (41, 'Emma')");
            try (ConfigurableApplicationContext shop = start(
                    database,
                    "idgen.strategy=segment",
                    "idgen.startup=eager",
                    "idgen.jdbc.initialize-schema=always",
                    "idgen.jdbc.url=" + ids.plainUrl(),
                    "idgen.jdbc.user=" + ids.user(),
                    "idgen.jdbc.password=" + ids.password())) {
                assertThat(shop.getBean(Books.class)
                                .save(new Book("Persuasion"))
                                .id())
                        .isEqualTo(42);
            }
        }
    }

    /** On PostgreSQL, Hibernate makes one statement of it, and SQL cannot call a generator in this process. */
    @Test
    void anHqlInsertSelectNeedsASettingOfHibernateOnPostgreSql() {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            try (ConfigurableApplicationContext shop = start(database)) {
                shop.getBean(Books.class).save(new Book("Emma"));
                assertThatThrownBy(() -> insert(shop, COPY))
                        .hasStackTraceContaining("IDGEN-503")
                        .hasStackTraceContaining("since Hibernate 7.1, you can set hibernate.query.insert_strategy to "
                                + TEMPORARY_TABLES);
                assertThat(insert(shop, "insert into Book (id, title) select id + 1, title from Book"))
                        .isEqualTo(1);
            }
            String setting = "spring.jpa.properties.hibernate.query.insert_strategy=" + TEMPORARY_TABLES;
            try (ConfigurableApplicationContext shop = start(database, setting)) {
                assertThat(insert(shop, COPY)).isEqualTo(2);
                assertThat(shop.getBean(Books.class).findAll())
                        .extracting(Book::id)
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** The control: on H2, Hibernate asks for an id for each row. */
    @Test
    void anHqlInsertSelectNeedsNoSettingOnH2() {
        try (ConfigurableApplicationContext shop = start(h2)) {
            shop.getBean(Books.class).save(new Book("Emma"));

            assertThat(insert(shop, COPY)).isEqualTo(1);
            assertThat(shop.getBean(Books.class).findAll()).extracting(Book::id).doesNotHaveDuplicates();
        }
    }

    private static int insert(ConfigurableApplicationContext shop, String hql) {
        try (EntityManager manager = shop.getBean(EntityManagerFactory.class).createEntityManager()) {
            manager.getTransaction().begin();
            int inserted = manager.createQuery(hql).executeUpdate();
            manager.getTransaction().commit();
            return inserted;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aFailedStartNamesItsSource(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThatThrownBy(() -> start(
                            database,
                            "idgen.startup=eager",
                            "idgen.worker.assigner=jdbc",
                            "idgen.jdbc.initialize-schema=never",
                            "spring.jpa.hibernate.ddl-auto=none"))
                    .hasMessageContaining("IDGEN-403: source 'Book' did not start: ");
        }
    }

    /** Waiting does not help, so the start does not wait for an hour. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    @Timeout(60)
    void aUrlWithoutADriverFailsTheStartAtOnceAndDoesNotPromiseToTryAgain(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThatThrownBy(() -> start(
                            database,
                            "idgen.jdbc.url=jdbc:postgres://localhost/ids",
                            "idgen.acquire-timeout=1h"))
                    .hasMessageContaining("source 'Book' did not start: ")
                    .hasMessageContaining("No suitable driver")
                    .message()
                    .doesNotContain("tries again");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aNameWithoutSettingsIsABeanToo(TestDatabase kind) {
        try (Database database = kind.create();
                ConfigurableApplicationContext shop = start(database, "idgen.sources.orders=")) {
            assertThat(shop.getBean("ordersIdSource", IdSource.class).nextId()).isPositive();
        }
    }

    @Test
    void aNameWithATextInsteadOfSettingsIsRefused() {
        assertThatThrownBy(() -> start(h2, "idgen.sources.orders=segment"))
                .rootCause()
                .hasMessageContaining("idgen.sources.orders");
    }

    @Test
    void closingTheContextClosesTheSources() {
        ConfigurableApplicationContext shop = start(h2);
        IdSources sources = shop.getBean(IdSources.class);
        shop.getBean(Books.class).save(new Book("Emma"));
        IdSource source = sources.get("Book");
        shop.close();

        assertThatThrownBy(source::nextId)
                .isInstanceOfSatisfying(
                        IdGenerationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED));
    }

    @Test
    void anUnknownSettingStopsTheStartAndNamesTheNearest() {
        assertThatThrownBy(() -> start(h2, "idgen.stratgy=segment"))
                .hasRootCauseInstanceOf(ConfigurationException.class)
                .rootCause()
                .hasMessageContainingAll("idgen.stratgy", "idgen.strategy");
    }

    @Test
    void idgensExceptionsAreSpringsWhereRepositoriesThrowThem() {
        try (ConfigurableApplicationContext shop = start(h2, "idgen.strategy=segment", "idgen.sources.Book.limit=2")) {
            Books books = shop.getBean(Books.class);
            books.save(new Book("Emma"));

            assertThatThrownBy(() -> books.save(new Book("Persuasion")))
                    .isInstanceOf(NonTransientDataAccessResourceException.class)
                    .hasMessageContaining("IDGEN-305");
        }
    }

    @Test
    void sourcesInMemoryOpenWithTheFirstId() {
        try (ConfigurableApplicationContext shop = start(h2)) {
            assertThat(shop.getBean(IdSources.class).snapshots()).isEmpty();
        }
    }

    @Test
    void sourcesOnAServerStartWithTheApplication() {
        try (Database postgreSql = TestDatabase.POSTGRESQL.create();
                ConfigurableApplicationContext shop = start(postgreSql)) {
            assertThat(shop.getBean(IdSources.class).snapshots().get("Book"))
                    .isInstanceOfSatisfying(
                            SnowflakeSnapshot.class,
                            snapshot -> assertThat(snapshot.workerId()).isNotNull());
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
        }
    }

    @Test
    void theLeaseTableShowsTheApplicationAndItsProcess() {
        try (ConfigurableApplicationContext shop = start(h2, "spring.application.name=shop")) {
            shop.getBean(Books.class).save(new Book("Emma"));

            assertThat(new JdbcTemplate(h2.dataSource())
                            .queryForObject(
                                    "SELECT owner_info FROM idgen_worker WHERE owner_token IS NOT NULL", String.class))
                    .matches("shop " + ProcessHandle.current().pid() + "@\\S.*");
        }
    }

    @Test
    void aMissingTableFailsTheDeploymentAndShowsItsDdl() {
        try (Database postgreSql = TestDatabase.POSTGRESQL.create()) {
            assertThatThrownBy(() -> start(postgreSql, "spring.jpa.hibernate.ddl-auto=none"))
                    .hasStackTraceContaining("IDGEN-403")
                    .hasStackTraceContaining("CREATE TABLE");
        }
    }
}
