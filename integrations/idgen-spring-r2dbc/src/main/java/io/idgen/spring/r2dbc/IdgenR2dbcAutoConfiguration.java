package io.idgen.spring.r2dbc;

import io.idgen.core.config.SourceBinder;
import io.idgen.spring.boot.IdgenAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/** Ids for entities of Spring Data R2DBC; see {@link io.idgen.spring.data.FromIdSource}. */
@AutoConfiguration(
        after = IdgenAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration",
            "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration"
        })
@ConditionalOnBean({SourceBinder.class, R2dbcMappingContext.class})
public class IdgenR2dbcAutoConfiguration {

    /** Called by Spring. */
    public IdgenR2dbcAutoConfiguration() {}

    @Bean
    R2dbcIds idgenR2dbcIds(SourceBinder binder, R2dbcMappingContext mapping) {
        return new R2dbcIds(binder, mapping);
    }
}
