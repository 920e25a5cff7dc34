package io.idgen.spring.boot;

import io.idgen.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Decodes ids in paths and parameters of requests; see {@link io.idgen.text.PublicId}. Uses the bean of the type
 * {@link PublicIds}.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerAdapter.class)
public class IdgenWebMvcAutoConfiguration {

    /** Called by Spring. */
    public IdgenWebMvcAutoConfiguration() {}

    @Bean
    static PublicIdsFirst idgenPublicIdsFirst(ObjectProvider<PublicIds> publicIds) {
        return new PublicIdsFirst(new PublicIdResolver(new PublicIdParameters(publicIds)));
    }

    @Bean
    PublicIdErrors idgenPublicIdErrors() {
        return new PublicIdErrors();
    }

    /**
     * Puts the resolver before those of Spring, which would otherwise resolve parameters with {@code @PathVariable}.
     *
     * @param resolver the resolver
     */
    record PublicIdsFirst(PublicIdResolver resolver) implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof RequestMappingHandlerAdapter adapter) {
                List<HandlerMethodArgumentResolver> resolvers = new ArrayList<>();
                resolvers.add(resolver);
                resolvers.addAll(Objects.requireNonNull(adapter.getArgumentResolvers()));
                adapter.setArgumentResolvers(resolvers);
            }
            return bean;
        }
    }
}
