package io.idgen.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("matrix")
class MoveToSnowflakesTest {
    @Test
    void oldAndNewVersionsInsertWhileTheirIdsBecomeSnowflakesAndNoInsertFails() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        try (MoveToSnowflakes move = new MoveToSnowflakes(new PrintStream(printed, true, StandardCharsets.UTF_8), 3)) {
            move.run();
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .hasSizeGreaterThan(30)
                .last()
                .asString()
                .matches("\\d+ orders with two lines each, 0 failed, 0 duplicates, 0 rows missing");
    }
}
