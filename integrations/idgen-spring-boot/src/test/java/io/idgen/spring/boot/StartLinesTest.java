package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        return Application.start(Catalog.class, h2, settings);
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
                .contains("sources 'author', 'publisher', 'title': snowflake, table idgen_worker, worker id ");
    }

    @Test
    void theStatementsOfAMissingTableArePrintedOnce(CapturedOutput output) {
        String[] noTables = {"spring.jpa.hibernate.ddl-auto=none", "idgen.jdbc.initialize-schema=never"};
        assertThatThrownBy(() -> start(Application.with(noTables, "idgen.startup=eager")))
                .hasStackTraceContaining("CREATE TABLE");
        System.out.println("EEEE");
        try (ConfigurableApplicationContext context = start(noTables)) {
            for (String name : context.getBean(IdSources.class).names()) {
                assertThatThrownBy(
                                () -> context.getBean(IdSources.class).get(name).nextId())
                        .hasMessageContaining("CREATE TABLE");
            }
        }
        System.out.println("FFFF");
        assertThat(lines(output, "CREATE TABLE")).hasSize(2);
    }
}
