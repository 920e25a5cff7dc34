package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/** Tests the schema of idgen's tables: that of the entities, as without the starter. */
@Tag("matrix")
@Tag("databases")
class SchemaTest {
    private static final String DEFAULT_SCHEMA = "spring.jpa.properties.hibernate.default_schema=app";
    private static final int IDS = 500;

    @AutoClose
    private final Database postgreSql = TestDatabase.POSTGRESQL.create();

    private final JdbcTemplate jdbc = new JdbcTemplate(postgreSql.dataSource());

    private ConfigurableApplicationContext start(String... settings) {
        return Application.start(
                Shop.class, postgreSql, Application.with(settings, DEFAULT_SCHEMA, "idgen.strategy=segment"));
    }

    /** Returns ids of books, from a process with the starter and from one without. */
    private List<Long> idsOfBoth(String... settings) throws Exception {
        jdbc.execute("CREATE SCHEMA app");
        List<Long> ids = new ArrayList<>();
        try (ConfigurableApplicationContext shop = start(settings)) {
            LongStream.of(shop.getBean(IdSources.class).get("book").nextIds(IDS))
                    .forEach(ids::add);
            try (ChildJvm plain = ChildJvm.start(
                    PlainHibernateProcess.class, List.of(postgreSql.url(), "app", String.valueOf(IDS)))) {
                plain.awaitsEnd().stream()
                        .filter(line -> line.matches("\\d+"))
                        .map(Long::valueOf)
                        .forEach(ids::add);
            }
        }
        assertThat(ids).hasSize(2 * IDS);
        return ids;
    }

    @Test
    void aProcessWithTheStarterAndOneWithoutUseTheTablesInTheSchemaOfTheEntities() throws Exception {
        assertThat(idsOfBoth()).doesNotHaveDuplicates();
        assertThat(jdbc.queryForList(
                        "SELECT table_schema FROM information_schema.tables WHERE table_name = 'idgen_counter'",
                        String.class))
                .containsExactly("app");
    }

    /** The control: with tables in two schemas, each process has rows of its own. */
    @Test
    void inTablesOfAnotherSchemaTheIdsRepeat() throws Exception {
        List<Long> ids = idsOfBoth("idgen.jdbc.schema=public");

        assertThat(ids.stream().distinct().count()).isLessThan(ids.size());
    }

    /** Hides the schema from Spring's settings, as a customizer of Hibernate or a persistence.xml does. */
    @Configuration(proxyBeanMethods = false)
    static class SchemaOfHibernateOnly {
        @Bean
        static BeanPostProcessor defaultSchema() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof AbstractEntityManagerFactoryBean factory) {
                        factory.getJpaPropertyMap().put("hibernate.default_schema", "app");
                    }
                    return bean;
                }
            };
        }
    }

    private ConfigurableApplicationContext startWithSchemaOfHibernateOnly(String... settings) {
        return Application.start(
                new SpringApplicationBuilder(Shop.class, SchemaOfHibernateOnly.class), postgreSql, settings);
    }

    @Test
    void aSchemaThatOnlyHibernateKnowsIsRefusedUntilASettingDecides() {
        jdbc.execute("CREATE SCHEMA app");
        assertThatThrownBy(this::startWithSchemaOfHibernateOnly)
                .hasStackTraceContaining("Hibernate's default schema is 'app', but idgen's tables would be in ''")
                .hasStackTraceContaining("set idgen.jdbc.schema");

        try (ConfigurableApplicationContext shop = startWithSchemaOfHibernateOnly("idgen.jdbc.schema=app")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
        }
    }
}
