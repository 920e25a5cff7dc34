package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;

/** Creates a bean from the source with a name. The first id opens the source, and its owner closes it. */
final class NamedIdSource implements FactoryBean<IdSource> {
    private final String name;
    private @Autowired UnitSources sources;

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
