package io.idgen.spring.boot;

import io.idgen.micrometer.IdgenEventMetrics;
import io.idgen.micrometer.IdgenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Meters of the sources, if the application has idgen-micrometer and a {@link MeterRegistry}; see {@link IdgenMetrics}
 * and {@link IdgenEventMetrics}.
 */
@AutoConfiguration(after = IdgenAutoConfiguration.class)
@ConditionalOnClass({IdgenMetrics.class, MeterRegistry.class})
public class IdgenMetricsAutoConfiguration {

    /** Called by Spring. */
    public IdgenMetricsAutoConfiguration() {}

    /** Counts events. Spring Boot binds it to the registry. */
    @Bean
    @ConditionalOnMissingBean
    IdgenEventMetrics idgenEventMetrics() {
        return new IdgenEventMetrics();
    }

    /** Registers the meters when all beans exist, so that all sources have their names. */
    @Bean
    @ConditionalOnMissingBean(IdgenMetrics.class)
    SmartInitializingSingleton idgenMetricsBinding(
            ObjectProvider<UnitSources> sources, ObjectProvider<MeterRegistry> registry) {
        return () -> registry.ifAvailable(meters -> sources.ifAvailable(all -> {
            all.awaitBoots();
            all.forEach(
                    (prefix, each) -> new IdgenMetrics(each).withPrefix(prefix).bindTo(meters));
        }));
    }
}
