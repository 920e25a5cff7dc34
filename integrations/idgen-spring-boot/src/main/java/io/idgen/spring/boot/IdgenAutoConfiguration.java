package io.idgen.spring.boot;

import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.WorkerIdAssigner;
import io.idgen.core.lease.LeaseStore;
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
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * Sources of ids as beans: one {@link IdSources} with the settings {@code idgen.*} of the environment and the
 * application's {@link DataSource}, and an {@link io.idgen.core.IdSource} for each name that has settings of its own.
 * With {@code idgen.sources.orders.strategy=segment} that is {@code @Qualifier("orders") IdSource}.
 *
 * <p>Uses the beans of the types {@link IdStrategy}, {@link IdgenListener}, {@link LeaseStore} and {@link
 * WorkerIdAssigner}. An {@link IdSources} bean of the application replaces all of this.
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
            ConfigurableEnvironment environment,
            BeanFactory beans,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<IdStrategy> strategies,
            ObjectProvider<IdgenListener> listener,
            ObjectProvider<LeaseStore> leaseStore,
            ObjectProvider<WorkerIdAssigner> assigner) {
        SourcesOfBeans sources = new SourcesOfBeans(IdgenSettings.of(environment), beans);
        strategies.orderedStream().forEach(sources::strategy);
        listener.ifUnique(bean -> sources.resource(IdgenListener.class, bean));
        leaseStore.ifUnique(bean -> sources.resource(LeaseStore.class, bean));
        assigner.ifUnique(bean -> sources.resource(WorkerIdAssigner.class, bean));
        IdgenDatabase database = IdgenDatabase.of(environment, beans, dataSource);
        return sources.bind(database, JpaSchema.of(environment, database));
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

    /** Opens the sources with {@code idgen.startup=eager}, after migrations have created the tables. */
    @Bean
    @ConditionalOnBean(SourceBinder.class)
    @DependsOnDatabaseInitialization
    EagerStart idgenEagerStart(SourceBinder binder) {
        return new EagerStart(binder);
    }

    /** Translates exceptions if Spring's data access exceptions are on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PersistenceExceptionTranslator.class)
    static class Translation {
        @Bean
        @ConditionalOnMissingBean
        static IdgenExceptionTranslator idgenExceptionTranslator() {
            return new IdgenExceptionTranslator();
        }
    }
}
