package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** Tests which entity manager factories share the sources of the application, and which receive only its settings. */
class EntityManagerFactoriesTest {
    private static final String SCHEMA = "spring.jpa.properties.hibernate.default_schema";

    private final MockEnvironment environment = new MockEnvironment();
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final DataSource dataSource = new JdbcDataSource();
    private final SourceBinder binder = SourceBinder.of(IdSources.builder());
    private final LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();

    EntityManagerFactoriesTest() {
        environment.setProperty("idgen.strategy", "segment");
        beans.registerSingleton("dataSource", dataSource);
        beans.registerSingleton("binder", binder);
        factory.setDataSource(dataSource);
    }

    private Map<String, Object> properties() {
        EntityManagerFactories factories = new EntityManagerFactories(
                environment, beans, beans.getBeanProvider(DataSource.class), beans.getBeanProvider(SourceBinder.class));
        assertThat(factories.postProcessBeforeInitialization(factory, "entityManagerFactory"))
                .isSameAs(factory);
        return factory.getJpaPropertyMap();
    }

    @Test
    void aFactoryOverTheDatabaseOfTheApplicationSharesItsSources() {
        assertThat(properties())
                .containsOnly(Map.entry("idgen.source-binder", binder), Map.entry("idgen.source-binder.schema", ""));
    }

    @Test
    void theSchemaOfTheEntitiesIsComparedWithThatOfHibernate() {
        environment.setProperty(SCHEMA, "app");

        assertThat(properties()).containsEntry("idgen.source-binder.schema", "app");
    }

    @Test
    void aSchemaThatASettingOfIdgenNamesIsNotCompared() {
        environment.setProperty(SCHEMA, "app");
        environment.setProperty("idgen.jdbc.schema", "ids");

        assertThat(properties()).containsOnlyKeys("idgen.source-binder");
    }

    @Test
    void theSchemaOfADatabaseOfIdgenItselfIsNotCompared() {
        environment.setProperty("idgen.jdbc.url", "jdbc:h2:mem:ids");

        assertThat(properties()).containsOnlyKeys("idgen.source-binder");
    }

    @Test
    void aFactoryOverAnotherDatabaseReceivesTheSettings() {
        factory.setDataSource(new JdbcDataSource());

        assertThat(properties()).containsOnly(Map.entry("idgen.strategy", "segment"));
    }

    @Test
    void aFactoryWithoutADataSourceReceivesTheSettings() {
        factory.setDataSource(null);
        beans.destroySingleton("dataSource");

        assertThat(properties()).containsOnly(Map.entry("idgen.strategy", "segment"));
    }

    @Test
    void aFactoryWithSettingsOfIdgenKeepsThemAndHasSourcesOfItsOwn() {
        environment.setProperty("idgen.startup", "lazy");
        factory.getJpaPropertyMap().put("idgen.strategy", "snowflake");

        assertThat(properties())
                .containsOnly(Map.entry("idgen.strategy", "snowflake"), Map.entry("idgen.startup", "lazy"));
    }

    @Test
    void settingsOfIdgenMayHaveThePrefixOfHibernate() {
        factory.getJpaPropertyMap().put("hibernate.idgen.strategy", "snowflake");

        assertThat(properties()).doesNotContainKey("idgen.source-binder").containsEntry("idgen.strategy", "segment");
    }

    @Test
    void otherPropertiesOfTheFactoryDoNotPreventSharing() {
        factory.getJpaPropertyMap().put("hibernate.jdbc.batch_size", "50");

        assertThat(properties()).containsEntry("idgen.source-binder", binder);
    }

    @Test
    void withSourcesThatTheApplicationHasReplacedAFactoryReceivesTheSettings() {
        beans.destroySingleton("binder");

        assertThat(properties()).containsOnly(Map.entry("idgen.strategy", "segment"));
    }
}
