package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Adds idgen's sources to the properties of each entity manager factory before Hibernate boots: those of the
 * application, or sources for this factory alone, which {@link UnitSources} collects.
 */
record EntityManagerFactories(
        ConfigurableEnvironment environment,
        BeanFactory beans,
        ObjectProvider<DataSource> dataSource,
        ObjectProvider<SourceBinder> binder)
        implements BeanPostProcessor {
    private static final String BINDER = "idgen.source-binder";
    private static final String SUFFIX = "EntityManagerFactory";

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            IdgenSettings settings = IdgenSettings.of(environment);
            Map<String, Object> properties = factory.getJpaPropertyMap();
            String unit = unit(factory, name);
            units().addFactory(factory::getNativeEntityManagerFactory);
            SourceBinder shared = isOverApplicationDatabase(factory) ? binder.getIfAvailable() : null;
            if (shared != null && properties.keySet().stream().noneMatch(EntityManagerFactories::isOfIdgen)) {
                share(shared, settings, properties);
            } else {
                own(unit, settings, factory);
            }
        }
        return bean;
    }

    /** Returns the name of the persistence unit, or else that of the bean without {@value #SUFFIX}. */
    private static String unit(AbstractEntityManagerFactoryBean factory, String bean) {
        String unit = factory.getPersistenceUnitName();
        if (unit != null) {
            return unit;
        }
        if (bean.equals("entityManagerFactory")) {
            return "default"; // as JPA calls a unit without a name
        }
        return bean.endsWith(SUFFIX) ? bean.substring(0, bean.length() - SUFFIX.length()) : bean;
    }

    private void share(SourceBinder shared, IdgenSettings settings, Map<String, Object> properties) {
        properties.put(BINDER, shared);
        IdgenDatabase database = IdgenDatabase.of(settings, beans, dataSource::getIfUnique, settings.ofJpa());
        if (database.isApplications() && settings.get(IdgenDatabase.SCHEMA) == null) {
            properties.put("idgen.source-binder.schema", database.schema().orElse(""));
        }
    }

    private void own(String unit, IdgenSettings settings, AbstractEntityManagerFactoryBean factory) {
        Map<String, Object> properties = factory.getJpaPropertyMap();
        IdgenDatabase database = IdgenDatabase.of(settings, beans, factory::getDataSource, properties);
        DataSource named = database.isApplications() ? null : database.lender();
        if (named != null) {
            properties.putIfAbsent(IdgenDatabase.DATA_SOURCE, named); // Hibernate compares it with that of the entities
        }
        if (database.isApplications() && !isOverApplicationDatabase(factory)) {
            IdgenMigration.run(settings, database, null); // that of the application has its migration already
        }
        Function<IdSources.Builder, SourceBinder> completing = builder -> {
            SourceBinder own = new SourcesOfBeans(builder, settings, beans).bind(database);
            units().add(unit, own);
            return own;
        };
        properties.put(BINDER, completing);
    }

    private UnitSources units() {
        return beans.getBean(UnitSources.class);
    }

    private boolean isOverApplicationDatabase(AbstractEntityManagerFactoryBean factory) {
        DataSource used = factory.getDataSource();
        return used != null && used == dataSource.getIfUnique();
    }

    private static boolean isOfIdgen(String property) {
        return property.startsWith("idgen.") || property.startsWith("hibernate.idgen.");
    }
}
