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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the picture of both READMEs with the numbers that the example counts. Writes it on request. */
class PersistPictureTest {
    private static final Path IMAGES = Path.of("..", "..", "docs", "images");
    private static final String COMMAND = ".ci/pages picture";
    private static final Pattern COSTS = Pattern.compile("Order 1003 with its (\\d+) lines took:\\s+"
            + "Hibernate, @SnowflakeId +(\\d+) batches, +0 other statements, 1 connection\\s+"
            + ".*\\s+"
            + "Hibernate, IDENTITY +0 batches, +(\\d+) other statements, 1 connection");

    @ParameterizedTest
    @CsvSource({"persist.svg, false", "persist.zh-CN.svg, true"})
    void thePictureShowsWhatTheExampleCounts(String name, boolean chinese) throws IOException {
        Path picture = IMAGES.resolve(name);
        String svg = counted(chinese).svg();
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(picture, svg);
        }

        assertThat(picture).as("write it by %s", COMMAND).content().isEqualTo(svg);
    }

    private static PersistPicture counted(boolean chinese) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        OrdersExample.run(new PrintStream(printed, true, StandardCharsets.UTF_8), Map.of());
        Matcher costs = COSTS.matcher(printed.toString(StandardCharsets.UTF_8));
        assertThat(costs.find()).as("%s", printed).isTrue();
        return new PersistPicture(number(costs, 1), number(costs, 2), number(costs, 3), chinese);
    }

    private static int number(Matcher costs, int group) {
        return Integer.parseInt(costs.group(group));
    }
}
