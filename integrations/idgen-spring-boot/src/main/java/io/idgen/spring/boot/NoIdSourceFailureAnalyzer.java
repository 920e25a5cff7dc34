package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Shows how to configure a source whose {@link IdSource} bean is missing. Comes before Spring Boot's analyzer, which
 * advises to define a bean.
 */
@Order(-1)
final class NoIdSourceFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, NoSuchBeanDefinitionException cause) {
        String name = cause.getBeanName();
        boolean isSource =
                cause.getBeanType() == IdSource.class || (name != null && name.endsWith(IdSourceBeans.SUFFIX));
        if (!isSource || cause instanceof NoUniqueBeanDefinitionException) {
            return null;
        }
        String action = """
                A name is a bean if it has a setting under idgen.sources. Spring Boot 3.5 ignores an empty map ({})
                in YAML. In application.yaml, with the name of your source:

                idgen:
                  sources:
                    orders:
                      strategy: segment
                """;
        return new FailureAnalysis(cause.getMessage(), action, cause);
    }
}
