package io.idgen.spring.boot;

import io.idgen.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Decodes ids in paths and parameters of requests; see {@link io.idgen.text.PublicId}. Uses the bean of the type {@link
 * PublicIds}. Another text gives status 400.
 */
@AutoConfiguration
public class IdgenWebAutoConfiguration {

    /** Called by Spring. */
    public IdgenWebAutoConfiguration() {}

    /** Requests to Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter.class)
    static class Mvc {
        @Bean
        static SmartInitializingSingleton idgenPublicIds(
                ObjectProvider<org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter>
                        adapters,
                ObjectProvider<PublicIds> publicIds) {
            return () -> adapters.forEach(
                    adapter -> PublicIdConversions.useIn(adapter.getWebBindingInitializer(), publicIds));
        }
    }

    /** Requests to Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    @ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter.class)
    static class WebFlux {
        @Bean
        static SmartInitializingSingleton idgenPublicIds(
                ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter>
                        adapters,
                ObjectProvider<PublicIds> publicIds) {
            return () -> adapters.forEach(
                    adapter -> PublicIdConversions.useIn(adapter.getWebBindingInitializer(), publicIds));
        }
    }
}
