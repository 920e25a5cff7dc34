package io.idgen.spring.boot;

import io.idgen.core.config.SourceBinder;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/** Adds idgen's sources or settings to the properties of each entity manager factory before Hibernate boots. */
final class EntityManagerFactories implements BeanPostProcessor {
    private final ConfigurableEnvironment environment;
    private final BeanFactory beans;
    private final ObjectProvider<DataSource> dataSource;
    private final ObjectProvider<SourceBinder> binder;

    EntityManagerFactories(
            ConfigurableEnvironment environment,
            BeanFactory beans,
            ObjectProvider<DataSource> dataSource,
            ObjectProvider<SourceBinder> binder) {
        this.environment = environment;
        this.beans = beans;
        this.dataSource = dataSource;
        this.binder = binder;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            Map<String, Object> properties = factory.getJpaPropertyMap();
            SourceBinder shared = isOverApplicationDatabase(factory) ? binder.getIfAvailable() : null;
            if (shared != null && properties.keySet().stream().noneMatch(EntityManagerFactories::isOfIdgen)) {
                properties.put("idgen.source-binder", shared);
                IdgenDatabase database = IdgenDatabase.of(environment, beans, dataSource);
                if (database.isApplications() && !environment.containsProperty(JpaSchema.SETTING)) {
                    properties.put(
                            "idgen.source-binder.schema",
                            JpaSchema.of(environment, database).orElse(""));
                }
            } else {
                IdgenSettings.of(environment).all().forEach(properties::putIfAbsent);
            }
        }
        return bean;
    }

    private boolean isOverApplicationDatabase(AbstractEntityManagerFactoryBean factory) {
        DataSource used = factory.getDataSource();
        return used != null && used == dataSource.getIfUnique();
    }

    private static boolean isOfIdgen(String property) {
        return property.startsWith("idgen.") || property.startsWith("hibernate.idgen.");
    }
}
