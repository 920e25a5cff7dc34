package io.idgen.spring.boot;

import io.swagger.v3.core.converter.ModelConverter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Declares ids as strings in the OpenAPI contract of springdoc, where they are strings in requests and responses. */
@AutoConfiguration
@ConditionalOnClass(ModelConverter.class)
public class IdgenOpenApiAutoConfiguration {

    /** Called by Spring. */
    public IdgenOpenApiAutoConfiguration() {}

    /** springdoc registers it. Without a module for Jackson, the attributes of JSON objects are numbers. */
    @Bean
    IdSchemas idgenIdSchemas() {
        ClassLoader loader = IdgenOpenApiAutoConfiguration.class.getClassLoader();
        return new IdSchemas(ClassUtils.isPresent("io.idgen.jackson.IdgenModule", loader)
                || ClassUtils.isPresent("io.idgen.jackson2.IdgenModule", loader));
    }
}
