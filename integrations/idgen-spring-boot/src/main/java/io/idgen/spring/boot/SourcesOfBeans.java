package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Builds the sources of an application from its settings and beans. */
final class SourcesOfBeans {
    private static final String DATA_SOURCE = "idgen.jdbc.data-source";
    private static final String STRATEGY = "idgen.strategy";
    private static final String STARTUP = "idgen.startup";
    private static final String BEAN = "bean:";

    private final IdSources.Builder builder = IdSources.builder();
    private final IdgenSettings settings;
    private final BeanFactory beans;

    SourcesOfBeans(IdgenSettings settings, BeanFactory beans) {
        this.settings = settings;
        this.beans = beans;
    }

    SourceBinder bind(ObjectProvider<DataSource> application) {
        settings.sources().forEach(builder::source);
        settings.all().forEach((name, value) -> {
            if (isStrategy(name) && value.startsWith(BEAN)) {
                builder.strategy(IdStrategy.of(value, () -> source(name, value.substring(BEAN.length()))));
            }
        });
        String dataSource = settings.all().get(DATA_SOURCE);
        if (dataSource != null && beans.containsBean(dataSource)) {
            settings.remove(DATA_SOURCE); // else it is a name in JNDI
            use(bean(DATA_SOURCE, dataSource, DataSource.class));
        } else if (dataSource == null) {
            application.ifUnique(this::use);
        }
        settings.applyTo(builder);
        return SourceBinder.of(builder);
    }

    <T> void resource(Class<T> type, T bean) {
        builder.resource(type, bean);
    }

    void strategy(IdStrategy strategy) {
        builder.strategy(strategy);
    }

    private static boolean isStrategy(String name) {
        return name.equals(STRATEGY) || (name.startsWith(IdgenSettings.SOURCES) && name.endsWith(".strategy"));
    }

    private void use(DataSource dataSource) {
        builder.dataSource(dataSource);
        if (!isInMemory(dataSource)) {
            builder.settings(Map.of(STARTUP, "eager"), "the default for a database server");
        }
    }

    private static boolean isInMemory(DataSource dataSource) {
        try {
            return new IdgenSchema(dataSource).isInMemory();
        } catch (IdGenerationException e) {
            return false; // it does not answer; the start of the sources explains that
        }
    }

    private IdSource source(String setting, String name) {
        return bean(setting, name, IdSource.class);
    }

    private <T> T bean(String setting, String name, Class<T> type) {
        try {
            return beans.getBean(name, type);
        } catch (BeansException e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    setting + ": there is no bean '" + name + "' of type " + type.getName() + ": " + e.getMessage(),
                    e);
        }
    }
}
