package io.idgen.spring.boot;

import io.idgen.core.config.SourceBinder;
import io.idgen.hibernate.SnowflakeId;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Passes idgen's settings and sources to Hibernate, for {@link SnowflakeId}. An entity manager factory over the
 * {@link DataSource} of the application shares its {@link io.idgen.core.config.IdSources}: the source of an entity is
 * the same for the application and for {@code persist}. A factory over another {@link DataSource}, or with settings
 * {@code idgen.*} among its own properties, has its own sources.
 */
@AutoConfiguration(after = IdgenAutoConfiguration.class)
@ConditionalOnClass({SnowflakeId.class, AbstractEntityManagerFactoryBean.class})
public class IdgenHibernateAutoConfiguration {

    /** Called by Spring. */
    public IdgenHibernateAutoConfiguration() {}

    @Bean
    static EntityManagerFactories idgenEntityManagerFactories(
            ConfigurableEnvironment environment,
            BeanFactory beans,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<SourceBinder> binder) {
        return new EntityManagerFactories(environment, beans, dataSource, binder);
    }
}
