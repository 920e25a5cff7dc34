package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import io.idgen.text.IdInspector;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The actuator endpoint {@code idgen}, and the health of the sources. */
@AutoConfiguration(after = {IdgenAutoConfiguration.class, IdgenHibernateAutoConfiguration.class})
@ConditionalOnBean(IdSources.class)
public class IdgenActuatorAutoConfiguration {

    private static final Pattern SECRET = Pattern.compile("idgen[._].*(password|url|uri)", Pattern.CASE_INSENSITIVE);

    /** Called by Spring. */
    public IdgenActuatorAutoConfiguration() {}

    /** The endpoint, if {@code idgen-inspect} is there to decode ids. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConditionalOnAvailableEndpoint.class, IdInspector.class})
    static class Endpoint {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        static IdgenEndpoint idgenEndpoint(UnitSources sources) {
            return new IdgenEndpoint(sources);
        }
    }

    /** The settings in the endpoint {@code configprops}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class Settings {

        /** All settings, whatever their names are. Nothing but the endpoint reads them here. */
        @Bean(autowireCandidate = false)
        @ConfigurationProperties(prefix = "idgen", ignoreInvalidFields = true)
        static Map<String, Object> idgenProperties() {
            return new TreeMap<>();
        }

        /** Masks secrets, also if the application shows all values. A URL may contain a password. */
        @Bean
        static SanitizingFunction idgenSecrets() {
            return data -> SECRET.matcher(data.getKey()).matches() ? data.withSanitizedValue() : data;
        }
    }

    /** Health in Spring Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.idgen.enabled", matchIfMissing = true)
    static class Health3 {
        @Bean
        static org.springframework.boot.actuate.health.HealthIndicator idgenHealthIndicator(UnitSources sources) {
            return () -> {
                IdgenHealth health = IdgenHealth.of(sources.snapshots());
                return org.springframework.boot.actuate.health.Health.status(health.status())
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    /** Health in Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.idgen.enabled", matchIfMissing = true)
    static class Health4 {
        @Bean
        static org.springframework.boot.health.contributor.HealthIndicator idgenHealthIndicator(UnitSources sources) {
            return () -> {
                IdgenHealth health = IdgenHealth.of(sources.snapshots());
                return org.springframework.boot.health.contributor.Health.status(health.status())
                        .withDetails(health.details())
                        .build();
            };
        }
    }
}
