package io.idgen.examples.twodatabases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TwoDatabasesTest {
    @Test
    void twoDatabasesBecomeThreeAndNoIdRepeats() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        assertThat(new TwoDatabases(new PrintStream(printed, true, StandardCharsets.UTF_8)).run())
                .hasSizeGreaterThan(40);

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("two databases:   [1, 2, 3")
                .contains("started again:")
                .contains("IDGEN-305")
                .contains("none repeats");
    }
}
