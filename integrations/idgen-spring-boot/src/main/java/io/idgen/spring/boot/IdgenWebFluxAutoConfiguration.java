package io.idgen.spring.boot;

import io.idgen.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;

/**
 * Decodes ids in paths and parameters of requests to reactive controllers; see {@link io.idgen.text.PublicId}. Uses the
 * bean of the type {@link PublicIds}.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RequestMappingHandlerAdapter.class)
public class IdgenWebFluxAutoConfiguration {

    /** Called by Spring. */
    public IdgenWebFluxAutoConfiguration() {}

    @Bean
    PublicIdAdapter idgenPublicIdAdapter(
            ObjectProvider<PublicIds> publicIds, RequestMappingHandlerAdapter requestMappingHandlerAdapter) {
        return new PublicIdAdapter(new PublicIdParameters(publicIds), requestMappingHandlerAdapter);
    }

    @Bean
    PublicIdErrors idgenPublicIdErrors() {
        return new PublicIdErrors();
    }
}
