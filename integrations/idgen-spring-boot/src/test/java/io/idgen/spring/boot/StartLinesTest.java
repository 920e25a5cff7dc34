package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.catalog.Catalog;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests what the log has of idgen at the start of an application with three entities. */
@ExtendWith(OutputCaptureExtension.class)
class StartLinesTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private ConfigurableApplicationContext start(String... settings) {
        return Application.start(Catalog.class, h2, Application.with(settings, "logging.level.io.idgen=info"));
    }

    private static List<String> lines(CapturedOutput output, String part) {
        return output.toString().lines().filter(line -> line.contains(part)).toList();
    }

    @Test
    void aGeneratorOfAllEntitiesHasOneLine(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start("idgen.startup=eager")) {
            assertThat(context.getBean(IdSources.class).names()).hasSize(3);
        }

        assertThat(lines(output, "EagerStart"))
                .singleElement()
                .asString()
                .contains(
                        "sources 'catalog$author', 'catalog$publisher', 'catalog$title': snowflake, table idgen_worker");
    }
}
