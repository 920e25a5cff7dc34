package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;

/**
 * Lets beans of a type depend on the sources. So Spring closes the sources after these beans and all that use them: a
 * bean that saves an entity when it is destroyed still gets an id.
 */
final class ClosedLater extends AbstractDependsOnBeanFactoryPostProcessor {
    ClosedLater(Class<?> user) {
        super(user, IdSources.class);
    }
}
