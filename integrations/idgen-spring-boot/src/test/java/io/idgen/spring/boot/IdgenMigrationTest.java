package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Creates idgen's tables with the application's Flyway or Liquibase. Each start validates the mapping of {@code Book},
 * and opens the sources. So both migrations must run before the entity manager factory and before eager sources.
 */
@Tag("matrix")
class IdgenMigrationTest {
    private static final String EAGER = "idgen.startup=eager";
    private static final String VALIDATE = "spring.jpa.hibernate.ddl-auto=validate";
    private static final List<String> TABLES = List.of("idgen_counter", "idgen_worker");

    private static ConfigurableApplicationContext start(Database database, String tool, String... more) {
        return Application.start(
                Shop.class,
                database,
                Application.with(
                        more,
                        "spring.flyway.enabled=true",
                        "spring.flyway.locations=classpath:db/shop",
                        EAGER,
                        VALIDATE,
                        "idgen.jdbc.initialize-schema=" + tool));
    }

    private static List<String> column(Database database, String sql) {
        return new JdbcTemplate(database.dataSource()).queryForList(sql, String.class);
    }

    private static void assertTables(Database database) {
        JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
        assertThat(TABLES)
                .allSatisfy(table -> assertThat(jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class))
                        .isNotNegative());
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void flywayCreatesTheTablesWithAHistoryOfTheirOwn(TestDatabase kind) {
        try (Database database = kind.create()) {
            for (int run = 0; run < 2; run++) {
                assertSaves(start(database, "flyway"));
            }

            assertTables(database);
            assertThat(column(database, "SELECT \"script\" FROM \"flyway_schema_history\" WHERE \"type\" = 'SQL'"))
                    .containsExactly("V1__books.sql");
            assertThat(column(database, "SELECT \"script\" FROM \"idgen_schema_history\" WHERE \"type\" = 'SQL'"))
                    .containsExactly("R__idgen_tables.sql");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void liquibaseCreatesTheTablesWithAHistoryOfTheirOwn(TestDatabase kind) {
        try (Database database = kind.create()) {
            for (int run = 0; run < 2; run++) {
                assertSaves(start(
                        database,
                        "liquibase",
                        "spring.flyway.enabled=false",
                        "spring.liquibase.enabled=true",
                        "spring.liquibase.change-log=classpath:db/shop/changelog.xml"));
            }

            assertTables(database);
            assertThat(column(database, "SELECT id FROM databasechangelog")).containsExactly("books");
            assertThat(column(database, "SELECT id FROM idgen_changelog"))
                    .containsExactly("idgen-tables-" + kind.name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    private static void assertSaves(ConfigurableApplicationContext shop) {
        try (shop) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
        }
    }

    @Test
    void theSettingOfTheDocumentationCreatesTheTables() {
        try (Database database = TestDatabase.H2.create();
                ConfigurableApplicationContext shop =
                        Application.start(Shop.class, database, EAGER, "spring.profiles.active=migrations")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
            assertThat(column(database, "SELECT \"script\" FROM \"idgen_schema_history\" WHERE \"type\" = 'SQL'"))
                    .containsExactly("R__idgen_tables.sql");
        }
    }

    @Test
    void theMigrationHasTheUserOfTheApplicationsMigrations() {
        String user = "shop_" + Long.toHexString(System.nanoTime());
        try (Database server = TestDatabase.POSTGRESQL.create()) {
            JdbcTemplate administrator = new JdbcTemplate(server.dataSource());
            administrator.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
            try (Database database = TestDatabase.POSTGRESQL.create()) {
                new JdbcTemplate(database.dataSource())
                        .execute("ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE ON TABLES TO " + user);
                try (ConfigurableApplicationContext shop = start(
                        database,
                        "flyway",
                        "spring.datasource.url=" + database.plainUrl(),
                        "spring.datasource.username=" + user,
                        "spring.datasource.password=secret",
                        "spring.flyway.user=" + database.user(),
                        "spring.flyway.password=" + database.password())) {
                    assertThat(shop.getBean(Books.class).save(new Book("Emma")).id())
                            .isPositive();
                }
            } finally {
                administrator.execute("DROP ROLE " + user);
            }
        }
    }
}
