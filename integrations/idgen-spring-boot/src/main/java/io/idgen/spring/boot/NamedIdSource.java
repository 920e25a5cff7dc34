package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;

/** Creates a bean from one of the {@link IdSources}. The first id opens the source, and {@link IdSources} closes it. */
final class NamedIdSource implements FactoryBean<IdSource> {
    private final String name;
    private @Autowired IdSources sources;

    NamedIdSource(String name) {
        this.name = name;
    }

    @Override
    public IdSource getObject() {
        return sources.lend(name);
    }

    @Override
    public Class<?> getObjectType() {
        return IdSource.class;
    }
}
