package io.idgen.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus logs a warning for a setting that nothing reads, and none for the settings of idgen. */
class KnownSettingsTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.with(
                    "idgen.worker.namespace=quarkus",
                    "idgen.sources.Chapter.strategy=segment",
                    "idgen.sources.Chapter.segment.step=50",
                    "quarkus.no-such-setting=1")
            .setLogRecordPredicate(line -> line.getLoggerName().equals("io.quarkus.config"))
            .assertLogRecords(lines -> assertThat(lines)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getParameters()).contains("quarkus.no-such-setting")));

    @Inject
    IdSources sources;

    @Test
    void applyWithoutAWarning() {
        assertThat(sources.strategy("Chapter")).isEqualTo("segment");
    }
}
