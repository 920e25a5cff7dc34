package io.idgen.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares README's picture with the numbers that the example counts. Writes the picture on request. */
class PersistPictureTest {
    private static final Path PICTURE = Path.of("..", "..", "docs", "images", "persist.svg");
    private static final String COMMAND = ".ci/pages picture";
    private static final Pattern COSTS = Pattern.compile("Order 1003 with its (\\d+) lines took:\\s+"
            + "Hibernate, @SnowflakeId +(\\d+) batches, +0 other statements, 1 connection\\s+"
            + ".*\\s+"
            + "Hibernate, IDENTITY +0 batches, +(\\d+) other statements, 1 connection");

    @Test
    void thePictureShowsWhatTheExampleCounts() throws IOException {
        String svg = counted().svg();
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PICTURE, svg);
        }

        assertThat(PICTURE).as("write it by %s", COMMAND).content().isEqualTo(svg);
    }

    private static PersistPicture counted() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        OrdersExample.run(new PrintStream(printed, true, StandardCharsets.UTF_8), Map.of());
        Matcher costs = COSTS.matcher(printed.toString(StandardCharsets.UTF_8));
        assertThat(costs.find()).as("%s", printed).isTrue();
        return new PersistPicture(number(costs, 1), number(costs, 2), number(costs, 3));
    }

    private static int number(Matcher costs, int group) {
        return Integer.parseInt(costs.group(group));
    }
}
