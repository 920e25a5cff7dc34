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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.datasource.lookup.DataSourceLookupFailureException;

/** Tests which database idgen uses, and which counts as a server: one that does not answer does. */
@Timeout(120)
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
        return IdgenDatabase.of(
                IdgenSettings.of(environment), beans, beans.getBeanProvider(DataSource.class)::getIfUnique);
    }

    @Test
    void theOnlyDataSourceOfTheApplicationIsThatOfIdgen() {
        DataSource application = new JdbcDataSource();
        beans.registerSingleton("dataSource", application);

        assertThat(database()).isEqualTo(new IdgenDatabase(application, Map.of(), true));
        assertThat(database().forMigrations()).isSameAs(application);
    }

    @Test
    void ofSeveralDataSourcesNoneIsThatOfIdgenUnlessItsNameIsSet() {
        DataSource named = new JdbcDataSource();
        beans.registerSingleton("orders", new JdbcDataSource());
        beans.registerSingleton("ids", named);
        assertThat(database()).isEqualTo(new IdgenDatabase(null, Map.of(), true));

        settings.put("idgen.jdbc.data-source", "ids");
        assertThat(database()).isEqualTo(new IdgenDatabase(named, Map.of(), false));
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
        assertThat(database().forMigrations()).isNull();
    }

    @Test
    void aUrlComesWithItsLoginAndMigrationsUseIt() {
        settings.put("idgen.jdbc.url", "jdbc:postgresql://ids/shop");
        settings.put("idgen.jdbc.user", "shop");
        settings.put("idgen.jdbc.password", "secret");
        beans.registerSingleton("dataSource", new JdbcDataSource());

        assertThat(database())
                .isEqualTo(new IdgenDatabase(
                        null,
                        Map.of(
                                "idgen.jdbc.url", "jdbc:postgresql://ids/shop",
                                "idgen.jdbc.user", "shop",
                                "idgen.jdbc.password", "secret"),
                        false));
        assertThat(database().forMigrations()).isInstanceOfSatisfying(DriverManagerDataSource.class, direct -> {
            assertThat(direct.getUrl()).isEqualTo("jdbc:postgresql://ids/shop");
            assertThat(direct.getUsername()).isEqualTo("shop");
            assertThat(direct.getPassword()).isEqualTo("secret");
        });
    }

    @Test
    void aNameWithoutABeanIsLookedUpInJndi() {
        settings.put("idgen.jdbc.data-source", "java:comp/env/jdbc/ids");

        assertThat(database().isServer()).isTrue();
        assertThatThrownBy(database()::forMigrations).isInstanceOf(DataSourceLookupFailureException.class);
    }

    @Test
    void aMisspeltBeanIsRefusedWithTheBeansThatExist() {
        beans.registerSingleton("orders", new JdbcDataSource());
        beans.registerSingleton("ids", new JdbcDataSource());
        settings.put("idgen.jdbc.data-source", "idz");

        assertThatThrownBy(this::database)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "idgen.jdbc.data-source: there is no bean 'idz', and this process has no JNDI; the"
                                + " beans of the type DataSource are orders, ids");
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

        assertThat(new IdgenDatabase(memory, Map.of(), true).isServer()).isFalse();
        assertThat(new IdgenDatabase(file, Map.of(), true).isServer()).isTrue();
    }

    @Test
    void aDatabaseThatDoesNotAnswerCountsAsAServer() {
        DataSource closed = new DriverManagerDataSource("jdbc:postgresql://localhost:1/none?user=shop");

        assertThat(new IdgenDatabase(closed, Map.of(), true).isServer()).isTrue();
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
            SourceBinder binder = new SourcesOfBeans(IdSources.builder(), IdgenSettings.of(environment), beans)
                    .bind(database(), Optional.empty());
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
