package io.idgen.spring.boot;

import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.AssignedIdCallback;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Ids for aggregates of Spring Data JDBC; see {@link io.idgen.spring.data.FromIdSource}. */
@AutoConfiguration(
        after = IdgenAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration"
        })
@ConditionalOnClass(BeforeConvertCallback.class)
@ConditionalOnBean({SourceBinder.class, RelationalMappingContext.class})
public class IdgenDataJdbcAutoConfiguration {

    /** Called by Spring. */
    public IdgenDataJdbcAutoConfiguration() {}

    @Bean
    AggregateIds idgenAggregateIds(SourceBinder binder, RelationalMappingContext mapping) {
        return new AggregateIds(binder, mapping);
    }

    @Bean
    @ConditionalOnMissingBean
    AssignedIdCallback idgenAssignedIdCallback() {
        return new AssignedIdCallback();
    }
}
