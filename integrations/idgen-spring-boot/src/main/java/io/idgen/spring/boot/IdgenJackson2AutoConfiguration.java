package io.idgen.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idgen.jackson2.IdgenModule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Registers the {@link IdgenModule} of idgen-jackson2, which Spring Boot 3.5 does not find by itself. Spring Boot 4
 * finds that of idgen-jackson.
 */
@AutoConfiguration
@ConditionalOnClass({IdgenModule.class, ObjectMapper.class})
public class IdgenJackson2AutoConfiguration {

    /** Called by Spring. */
    public IdgenJackson2AutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    IdgenModule idgenModule() {
        return new IdgenModule();
    }
}
