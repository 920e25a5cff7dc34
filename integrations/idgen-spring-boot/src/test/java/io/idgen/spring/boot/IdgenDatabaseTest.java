package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Tests which database idgen uses, and which counts as a server: one that does not answer does. */
class IdgenDatabaseTest {

    private final Map<String, Object> settings = new HashMap<>();
    private final StandardEnvironment environment = with(settings);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    private static StandardEnvironment with(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new MapPropertySource("application.yaml", settings));
        return environment;
    }

    private IdgenDatabase database() {
        IdgenSettings all = IdgenSettings.of(environment);
        return IdgenDatabase.of(all, beans, beans.getBeanProvider(DataSource.class)::getIfUnique, all.ofJpa());
    }

    private static IdgenDatabase of(@Nullable DataSource dataSource, boolean isApplications) {
        return new IdgenDatabase(dataSource, null, isApplications, Optional.empty());
    }

    @Test
    void theOnlyDataSourceOfTheApplicationIsThatOfIdgen() {
        DataSource application = new JdbcDataSource();
        beans.registerSingleton("dataSource", application);

        assertThat(database()).isEqualTo(of(application, true));
        assertThat(database().lender()).isSameAs(application);
    }

    @Test
    void ofSeveralDataSourcesNoneIsThatOfIdgenUnlessItsNameIsSet() {
        DataSource named = new JdbcDataSource();
        beans.registerSingleton("orders", new JdbcDataSource());
        beans.registerSingleton("ids", named);
        assertThat(database()).isEqualTo(of(null, true));

        settings.put("idgen.jdbc.data-source", "ids");
        assertThat(database()).isEqualTo(of(named, false));
    }

    @Test
    void aBeanOfAnotherTypeIsRefused() {
        beans.registerSingleton("shop", "a text");
        settings.put("idgen.jdbc.data-source", "shop");

        assertThatThrownBy(this::database)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idgen.jdbc.data-source: the bean 'shop' is a java.lang.String; name a bean");
    }

    @Test
    void withoutADatabaseThereIsNoServerAndNoMigration() {
        assertThat(database().isServer()).isFalse();
        assertThat(database().dataSource()).isNull();
    }

    @Test
    void aUrlComesWithItsLoginAndMigrationsUseIt() {
        settings.put("idgen.jdbc.url", "jdbc:postgresql://ids/shop");
        settings.put("idgen.jdbc.user", "shop");
        settings.put("idgen.jdbc.password", "secret");
        beans.registerSingleton("dataSource", new JdbcDataSource());

        assertThat(database().lender()).isNull();
        assertThat(database().isApplications()).isFalse();
        assertThat(database().dataSource()).isInstanceOfSatisfying(DriverManagerDataSource.class, direct -> {
            assertThat(direct.getUrl()).isEqualTo("jdbc:postgresql://ids/shop");
            assertThat(direct.getUsername()).isEqualTo("shop");
            assertThat(direct.getPassword()).isEqualTo("secret");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"idz", "java:comp/env/jdbc/ids"})
    void aNameThatNeitherABeanNorJndiHasIsRefusedWithTheBeansThatExist(String name) {
        beans.registerSingleton("orders", new JdbcDataSource());
        beans.registerSingleton("ids", new JdbcDataSource());
        settings.put("idgen.jdbc.data-source", name);

        assertThatThrownBy(this::database)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idgen.jdbc.data-source: there is no bean '" + name
                        + "', and no DataSource of this name in JNDI;"
                        + " the beans of the type DataSource are orders, ids");
    }

    @Test
    void aUrlInPlaceOfANameIsNotShown() {
        settings.put("idgen.jdbc.data-source", "jdbc:postgresql://ids/shop?password=secret");

        assertThat(database()).isEqualTo(of(null, false));
    }

    @ParameterizedTest
    @CsvSource({"default_schema, app", "default_catalog, app", "jdbc.batch_size, "})
    void theDefaultSchemaOrCatalogOfTheEntitiesIsThatOfIdgen(String property, @Nullable String expected) {
        settings.put("spring.jpa.properties.hibernate." + property, "app");
        assertThat(database().schema()).isEqualTo(Optional.ofNullable(expected));

        settings.put("idgen.jdbc.schema", "ids");
        assertThat(database().schema()).isEmpty();
    }

    @Test
    void aDatabaseOfIdgenItselfHasNoSchemaOfTheEntities() {
        settings.put("spring.jpa.properties.hibernate.default_schema", "app");
        settings.put("idgen.jdbc.url", "jdbc:h2:mem:ids");

        assertThat(database().schema()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"jdbc:postgresql://ids/shop, true", "jdbc:h2:mem:ids, false", "jdbc:h2:file:/ids, true"})
    void aUrlShowsWhetherTheDatabaseIsAServer(String url, boolean isServer) {
        settings.put("idgen.jdbc.url", url);

        assertThat(database().isServer()).isEqualTo(isServer);
    }

    @Test
    void aDatabaseInMemoryIsNoServerAndAFileIs(@TempDir Path folder) {
        JdbcDataSource memory = new JdbcDataSource();
        memory.setUrl("jdbc:h2:mem:");
        JdbcDataSource file = new JdbcDataSource();
        file.setUrl("jdbc:h2:file:" + folder.resolve("ids"));

        assertThat(of(memory, true).isServer()).isFalse();
        assertThat(of(file, true).isServer()).isTrue();
    }

    @Test
    void aDatabaseThatDoesNotAnswerCountsAsAServer() {
        DataSource closed = new DriverManagerDataSource("jdbc:postgresql://localhost:1/none?user=shop");

        assertThat(of(closed, true).isServer()).isTrue();
    }

    /** Routes without a default, so that it has no database at the start. */
    private static final class Router extends AbstractRoutingDataSource {
        @Override
        protected @Nullable Object determineCurrentLookupKey() {
            return null;
        }
    }

    @Test
    void aDataSourceThatRoutesIsRefusedAlsoBehindWrappers() {
        Router router = new Router();
        router.setTargetDataSources(Map.of("a", new JdbcDataSource(), "b", new JdbcDataSource()));
        router.afterPropertiesSet();
        Router withDefault = new Router();
        withDefault.setTargetDataSources(Map.of());
        withDefault.setDefaultTargetDataSource(new JdbcDataSource());
        withDefault.afterPropertiesSet();

        for (DataSource routing : List.of(
                router,
                withDefault,
                new LazyConnectionDataSourceProxy(router),
                new DelegatingDataSource(new TransactionAwareDataSourceProxy(withDefault)),
                ProxyDataSourceBuilder.create(router).build())) {
            beans.destroySingletons();
            beans.registerSingleton("dataSource", routing);
            assertThat(database().isServer()).isTrue();
            SourceBinder binder =
                    new SourcesOfBeans(IdSources.builder(), IdgenSettings.of(environment), beans).bind(database());
            assertThatThrownBy(() -> {
                        binder.bind("orders", Map.of());
                        binder.check();
                    })
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("routes to several")
                    .hasMessageContaining("set idgen.jdbc.data-source to a data source of one of them");
            binder.sources().close();
        }
    }
}
