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
import org.springframework.format.FormatterRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Decodes ids in paths and parameters of requests, and encodes them in links to controllers; see {@link
 * io.idgen.text.PublicId}. Uses the bean of the type {@link PublicIds}. Another text gives status 400.
 */
@AutoConfiguration
public class IdgenWebAutoConfiguration {

    /** Called by Spring. */
    public IdgenWebAutoConfiguration() {}

    /** Requests to Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(WebMvcConfigurer.class)
    static class Mvc {
        @Bean
        static WebMvcConfigurer idgenPublicIds(ObjectProvider<PublicIds> publicIds) {
            return new WebMvcConfigurer() {
                @Override
                public void addFormatters(FormatterRegistry registry) {
                    registry.addFormatterForFieldAnnotation(new PublicIdFormats(publicIds));
                }
            };
        }

        @Bean
        static SmartInitializingSingleton idgenStrictPublicIds(
                ObjectProvider<org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter>
                        adapters) {
            return () -> adapters.forEach(adapter -> PublicIdConversions.useIn(adapter.getWebBindingInitializer()));
        }
    }

    /** Requests to Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    @ConditionalOnClass(WebFluxConfigurer.class)
    static class WebFlux {
        @Bean
        static WebFluxConfigurer idgenPublicIds(ObjectProvider<PublicIds> publicIds) {
            return new WebFluxConfigurer() {
                @Override
                public void addFormatters(FormatterRegistry registry) {
                    registry.addFormatterForFieldAnnotation(new PublicIdFormats(publicIds));
                }
            };
        }

        @Bean
        static SmartInitializingSingleton idgenStrictPublicIds(
                ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter>
                        adapters) {
            return () -> adapters.forEach(adapter -> PublicIdConversions.useIn(adapter.getWebBindingInitializer()));
        }
    }
}
