package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** Tests which entity manager factories share the sources of the application, and which receive only its settings. */
class EntityManagerFactoriesTest {
    private static final String SCHEMA = "spring.jpa.properties.hibernate.default_schema";

    private final Map<String, Object> settings = new HashMap<>();
    private final StandardEnvironment environment = with(settings);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final DataSource dataSource = new JdbcDataSource();
    private final SourceBinder binder = SourceBinder.of(IdSources.builder());
    private final UnitSources units = new UnitSources(beans.getBeanProvider(IdSources.class));
    private final LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();

    EntityManagerFactoriesTest() {
        settings.put("idgen.strategy", "segment");
        beans.registerSingleton("dataSource", dataSource);
        beans.registerSingleton("binder", binder);
        beans.registerSingleton("unitSources", units);
        factory.setDataSource(dataSource);
    }

    private static StandardEnvironment with(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", settings));
        return environment;
    }

    private Map<String, Object> properties() {
        EntityManagerFactories factories = new EntityManagerFactories(
                environment, beans, beans.getBeanProvider(DataSource.class), beans.getBeanProvider(SourceBinder.class));
        assertThat(factories.postProcessBeforeInitialization(factory, "entityManagerFactory"))
                .isSameAs(factory);
        return factory.getJpaPropertyMap();
    }

    /** Returns the strategy of an entity in the factory's own sources, which are built as Hibernate builds them. */
    @SuppressWarnings("unchecked")
    private String ownStrategy() {
        IdSources.Builder builder = IdSources.builder();
        Map<String, String> own = new HashMap<>();
        Map<String, Object> properties = properties();
        properties.forEach((name, value) -> own.put(name.replaceFirst("^hibernate[.]", ""), value.toString()));
        own.remove("idgen.source-binder");
        builder.settings(own, "JPA");
        SourceBinder ofFactory =
                ((Function<IdSources.Builder, SourceBinder>) properties.get("idgen.source-binder")).apply(builder);
        ofFactory.bind("book", Map.of("start", "1"));
        assertThat(units.names()).containsExactly("book");
        return ofFactory.sources().strategy("book");
    }

    @Test
    void aFactoryOverTheDatabaseOfTheApplicationSharesItsSources() {
        assertThat(properties())
                .containsOnly(Map.entry("idgen.source-binder", binder), Map.entry("idgen.source-binder.schema", ""));
    }

    @Test
    void theSchemaOfTheEntitiesIsComparedWithThatOfHibernate() {
        settings.put(SCHEMA, "app");

        assertThat(properties()).containsEntry("idgen.source-binder.schema", "app");
    }

    @Test
    void aSchemaThatASettingOfIdgenNamesIsNotCompared() {
        settings.put(SCHEMA, "app");
        settings.put("idgen.jdbc.schema", "ids");

        assertThat(properties()).containsOnlyKeys("idgen.source-binder");
    }

    @Test
    void theSchemaOfADatabaseOfIdgenItselfIsNotCompared() {
        settings.put("idgen.jdbc.url", "jdbc:h2:mem:ids");

        assertThat(properties()).containsOnlyKeys("idgen.source-binder");
    }

    @Test
    void aFactoryOverAnotherDatabaseReceivesTheSettings() {
        factory.setDataSource(new JdbcDataSource());

        assertThat(ownStrategy()).isEqualTo("segment");
    }

    @Test
    void aFactoryWithoutADataSourceReceivesTheSettings() {
        factory.setDataSource(null);
        beans.destroySingleton("dataSource");

        assertThat(ownStrategy()).isEqualTo("segment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"idgen.strategy", "hibernate.idgen.strategy"})
    void aFactoryWithSettingsOfIdgenKeepsThemAndHasSourcesOfItsOwn(String setting) {
        factory.getJpaPropertyMap().put(setting, "snowflake");

        assertThat(ownStrategy()).isEqualTo("snowflake");
    }

    @Test
    void otherPropertiesOfTheFactoryDoNotPreventSharing() {
        factory.getJpaPropertyMap().put("hibernate.jdbc.batch_size", "50");

        assertThat(properties()).containsEntry("idgen.source-binder", binder);
    }

    @Test
    void withSourcesThatTheApplicationHasReplacedAFactoryReceivesTheSettings() {
        beans.destroySingleton("binder");

        assertThat(ownStrategy()).isEqualTo("segment");
    }
}
