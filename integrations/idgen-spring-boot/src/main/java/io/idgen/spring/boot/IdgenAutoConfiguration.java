package io.idgen.spring.boot;

import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.WorkerIdAssigner;
import io.idgen.core.lease.LeaseStore;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.ApplicationSchema;
import io.idgen.jdbc.internal.connection.Routing;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Sources of ids as beans: one {@link IdSources} with the settings {@code idgen.*} of the environment and the
 * application's {@link DataSource}, and an {@link io.idgen.core.IdSource} for each name that has settings of its own.
 * With {@code idgen.sources.orders.strategy=segment} that is {@code @Qualifier("orders") IdSource}.
 *
 * <p>Uses all beans of the types {@link IdStrategy} and {@link IdgenListener}, and the bean of each of the types {@link
 * LeaseStore} and {@link WorkerIdAssigner}. If the application has an {@link IdSources} bean, none of these is used.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@Import(IdSourceBeans.class)
public class IdgenAutoConfiguration {

    /** Called by Spring. */
    public IdgenAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(IdSources.class)
    SourceBinder idgenSourceBinder(
            ConfigurableEnvironment environment, BeanFactory beans, ObjectProvider<DataSource> dataSource) {
        IdgenSettings settings = IdgenSettings.of(environment);
        IdgenDatabase database = IdgenDatabase.of(settings, beans, dataSource::getIfUnique, settings.ofJpa());
        IdSources.Builder builder = IdSources.builder();
        database.schema().ifPresent(name -> builder.settings(Map.of(IdgenDatabase.SCHEMA, name), IdgenDatabase.JPA));
        if (!database.isApplications()) { // which has the tables of the entities
            dataSource.ifUnique(tables -> {
                if (Routing.isRouting(tables)) {
                    builder.resource(ApplicationSchema.class, new ApplicationSchema(null, true));
                } else {
                    builder.resource(ApplicationDatabase.class, ApplicationDatabase.of(tables));
                }
            });
        }
        return new SourcesOfBeans(builder, settings, beans).bind(database);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(SourceBinder.class)
    IdSources idSources(SourceBinder binder) {
        return binder.sources();
    }

    /** Creates idgen's tables with Flyway or Liquibase, if the settings choose that. */
    @Bean
    @ConditionalOnBean(SourceBinder.class)
    static IdgenMigration idgenMigration(
            ConfigurableEnvironment environment, ListableBeanFactory beans, ObjectProvider<DataSource> dataSource) {
        return new IdgenMigration(environment, beans, dataSource);
    }

    /** All sources, with those of persistence units that have sources of their own. */
    @Bean(UnitSources.BEAN)
    static UnitSources idgenUnitSources(ObjectProvider<IdSources> sources) {
        return new UnitSources(sources);
    }

    /** Opens the sources with {@code idgen.startup=eager}, after migrations have created the tables. */
    @Bean
    @ConditionalOnBean(SourceBinder.class)
    @DependsOnDatabaseInitialization
    EagerStart idgenEagerStart(
            SourceBinder binder, UnitSources all, ConfigurableEnvironment environment, ListableBeanFactory beans) {
        return new EagerStart(binder, all, IdgenSettings.of(environment), beans);
    }

    /**
     * Passes idgen's settings and sources to Hibernate, for {@link SnowflakeId}. An entity manager factory over the
     * {@link DataSource} of the application shares its {@link IdSources}: the source of an entity is the same for the
     * application and for {@code persist}. A factory over another {@link DataSource}, or with settings {@code idgen.*}
     * among its own properties, has its own sources.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({SnowflakeId.class, AbstractEntityManagerFactoryBean.class})
    static class Hibernate {
        @Bean
        static EntityManagerFactories idgenEntityManagerFactories(
                ConfigurableEnvironment environment,
                BeanFactory beans,
                ObjectProvider<DataSource> dataSource,
                ObjectProvider<SourceBinder> binder) {
            return new EntityManagerFactories(environment, beans, dataSource, binder);
        }

        @Bean
        static ClosedLater idgenClosedAfterJpa() {
            return new ClosedLater(EntityManagerFactory.class);
        }
    }
}
