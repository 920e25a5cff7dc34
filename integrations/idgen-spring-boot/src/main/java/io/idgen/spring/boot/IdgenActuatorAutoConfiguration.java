package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import io.idgen.micrometer.IdgenEventMetrics;
import io.idgen.micrometer.IdgenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The actuator endpoint {@code idgen}, and the health and the meters of the sources. */
@AutoConfiguration(after = IdgenAutoConfiguration.class)
@ConditionalOnBean(IdSources.class)
public class IdgenActuatorAutoConfiguration {

    private static final Pattern SECRET = Pattern.compile("idgen[._].*(password|url|uri)", Pattern.CASE_INSENSITIVE);

    /** Called by Spring. */
    public IdgenActuatorAutoConfiguration() {}

    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoint {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        static IdgenEndpoint idgenEndpoint(UnitSources sources) {
            return new IdgenEndpoint(sources);
        }
    }

    /** Secrets in the endpoint {@code env}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class MaskedSettings {
        /** Masks secrets, also if the application shows all values. A URL may contain a password. */
        @Bean
        static SanitizingFunction idgenSecrets() {
            return data -> SECRET.matcher(data.getKey()).matches() ? data.withSanitizedValue() : data;
        }
    }

    /**
     * Meters of the sources, if the application has idgen-micrometer and a {@link MeterRegistry}; see {@link
     * IdgenMetrics} and {@link IdgenEventMetrics}.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({IdgenMetrics.class, MeterRegistry.class})
    static class MeterBeans {

        /** Counts events. Spring Boot binds it to the registry. */
        @Bean
        @ConditionalOnMissingBean
        static IdgenEventMetrics idgenEventMetrics() {
            return new IdgenEventMetrics();
        }

        /** Registers the meters when all beans exist, so that all sources have their names. */
        @Bean
        @ConditionalOnMissingBean(IdgenMetrics.class)
        static SmartInitializingSingleton idgenMetricsBinding(
                UnitSources sources, ObjectProvider<MeterRegistry> registry) {
            return () -> registry.ifAvailable(meters -> {
                sources.awaitBoots();
                sources.forEach((prefix, each) ->
                        new IdgenMetrics(each).withPrefix(prefix).bindTo(meters));
            });
        }
    }

    /** Health in Spring Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = BootThreeHealth.INDICATOR)
    @ConditionalOnProperty(name = "management.health.idgen.enabled", matchIfMissing = true)
    static class Health3 {
        @Bean
        static BootThreeHealth idgenHealthIndicator(UnitSources sources) {
            return new BootThreeHealth(sources);
        }
    }

    /** Health in Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    @ConditionalOnProperty(name = "management.health.idgen.enabled", matchIfMissing = true)
    static class Health4 {
        @Bean
        static HealthIndicator idgenHealthIndicator(UnitSources sources) {
            return () -> {
                IdgenHealth health = IdgenHealth.of(sources.snapshots());
                return Health.status(health.status())
                        .withDetails(health.details())
                        .build();
            };
        }
    }
}
