package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class IdgenAutoConfigurationTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private static ConfigurableApplicationContext start(Database database, String... settings) {
        return Application.start(Shop.class, database, settings);
    }

    @Test
    void theApplicationAndPersistShareTheSourceOfAnEntity() {
        try (ConfigurableApplicationContext shop = start(h2, "idgen.strategy=segment")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isEqualTo(1);

            assertThat(shop.getBean(IdSources.class).get("book").nextId()).isEqualTo(2);
            assertThat(shop.getBean(IdSources.class).snapshots().get("book")).isInstanceOf(SegmentSnapshot.class);
        }
    }

    @Test
    void aPropertyOfJpaAndSettingsOfAnEntityApplyTogether() {
        try (ConfigurableApplicationContext shop = start(
                h2,
                "idgen.startup=eager",
                "idgen.sources.book.strategy=segment",
                "spring.jpa.properties.idgen.segment.step=5000")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isEqualTo(1);
            assertThat(shop.getBean("bookIdSource", IdSource.class).nextId()).isEqualTo(2);
            assertThat(shop.getBean(UnitSources.class).snapshots()).containsOnlyKeys("default.book");
        }
    }

    @Test
    void idsBeginAboveTheEntitiesIfIdgensTablesAreInAnotherDatabase() {
        try (Database ids = TestDatabase.POSTGRESQL.create()) {
            JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());
            jdbc.execute("CREATE TABLE book (id bigint PRIMARY KEY, title varchar(255))");
            jdbc.execute("INSERT INTO book VALUES (41, 'Emma')");
            try (ConfigurableApplicationContext shop = start(
                    h2,
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

    /** Waiting does not help, so the start does not wait for an hour. */
    @Test
    void aUrlWithoutADriverFailsTheStartAtOnceAndDoesNotPromiseToTryAgain() {
        assertThatThrownBy(() -> start(h2, "idgen.jdbc.url=jdbc:postgres://localhost/ids", "idgen.acquire-timeout=1h"))
                .hasMessageContaining("source 'book' did not start: ")
                .hasMessageContaining("No suitable driver")
                .message()
                .doesNotContain("tries again");
    }

    @Test
    void closingTheContextClosesTheSources() {
        ConfigurableApplicationContext shop = start(h2);
        IdSources sources = shop.getBean(IdSources.class);
        shop.getBean(Books.class).save(new Book("Emma"));
        IdSource source = sources.get("book");
        shop.close();

        assertThatThrownBy(source::nextId)
                .isInstanceOfSatisfying(
                        IdGenerationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED));
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
            assertThat(shop.getBean(IdSources.class).snapshots().get("book"))
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
                    .hasMessageContaining("IDGEN-403: source 'book' did not start: ")
                    .hasStackTraceContaining("CREATE TABLE");
        }
    }
}
