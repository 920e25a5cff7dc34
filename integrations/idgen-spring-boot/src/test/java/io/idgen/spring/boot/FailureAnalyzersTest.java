package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests what an application prints if it does not start: the reason and the way out. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

    /** Needs a source that has no settings. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IdgenAutoConfiguration.class)
    static class Orders {
        @Bean
        Runnable orders(@Qualifier("orders") IdSource orders) {
            return orders::nextId;
        }
    }

    private static void start(String... settings) {
        new SpringApplicationBuilder(Orders.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.name=none", "spring.main.banner-mode=off", "logging.level.root=warn")
                .properties(settings)
                .run()
                .close();
    }

    @Test
    void anApplicationWhoseSourceIsMissingPrintsItsSettings(CapturedOutput output) {
        assertThatThrownBy(FailureAnalyzersTest::start).hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START", "sources:", "orders:", "strategy: segment")
                .doesNotContain("Consider defining a bean"); // the analyzer of Spring Boot
    }

    /** The control: with the settings that the analyzer shows, the same application finds its source. */
    @Test
    void withASettingTheSameApplicationStarts(CapturedOutput output) {
        start("idgen.sources.orders.strategy=snowflake", "idgen.worker.id=1");

        assertThat(output).doesNotContain("APPLICATION FAILED TO START");
    }

    @Test
    void anApplicationThatIdgenRefusesPrintsTheReason(CapturedOutput output) {
        assertThatThrownBy(() -> start("idgen.stratgy=segment", "idgen.sources.orders.strategy=snowflake"))
                .hasRootCauseInstanceOf(ConfigurationException.class);

        assertThat(output).contains("APPLICATION FAILED TO START", "idgen.stratgy", ErrorCode.UNKNOWN_SETTING.wayOut());
    }

    @Test
    void anEmptyMapIsABean(@TempDir Path folder) throws IOException {
        Path yaml = Files.writeString(
                folder.resolve("application.yaml"), "idgen:\n  worker.id: 1\n  sources:\n    orders: {}\n");

        start("spring.config.location=" + yaml.toUri());
    }

    @Test
    void theFailureOfAMissingBeanSaysWhatToWrite() {
        FailureAnalysis analysis = new NoIdSourceFailureAnalyzer()
                .analyze(new NoSuchBeanDefinitionException(IdSource.class, "no bean 'orders'"));

        assertThat(analysis.getDescription()).contains("no bean 'orders'");
        assertThat(analysis.getAction()).contains("an empty map ({})", "    orders:\n      strategy: segment");
    }

    @Test
    void missingBeansOfOtherTypesAreLeftToSpring() {
        assertThat(new NoIdSourceFailureAnalyzer().analyze(new NoSuchBeanDefinitionException(String.class)))
                .isNull();
        assertThat(new NoIdSourceFailureAnalyzer()
                        .analyze(new NoUniqueBeanDefinitionException(IdSource.class, "orders", "lines")))
                .isNull();
    }
}
