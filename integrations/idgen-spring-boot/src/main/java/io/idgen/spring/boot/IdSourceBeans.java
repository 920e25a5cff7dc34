package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** A bean of the type {@link IdSource} for each name that has settings of its own. */
final class IdSourceBeans implements ImportBeanDefinitionRegistrar {
    static final String SUFFIX = "IdSource";

    private final ConfigurableEnvironment environment;

    IdSourceBeans(Environment environment) {
        this.environment = (ConfigurableEnvironment) environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        for (String source : IdgenSettings.of(environment).sources()) {
            RootBeanDefinition definition = new RootBeanDefinition(IdSource.class);
            definition.setFactoryBeanName(UnitSources.BEAN);
            definition.setFactoryMethodName("lend");
            definition.setLazyInit(true); // so that only the names that beans need count as used
            definition.setDestroyMethodName(""); // its owner closes it
            definition.getConstructorArgumentValues().addIndexedArgumentValue(0, source);
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, source));
            registry.registerBeanDefinition(source + SUFFIX, definition);
        }
    }
}
