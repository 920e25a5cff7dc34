package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.segment.SegmentAllocator;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the numbers of {@code docs/limits.md} with the code. */
class LimitsPageTest {
    private static final String PAGE = Pages.read(Pages.ROOT.resolve("docs/limits.md"));

    /** Returns the row that contains a text. */
    private static String row(String text) {
        return PAGE.lines()
                .filter(line -> line.startsWith("|") && line.contains(text))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"idgen.worker.window", "idgen.segment.reserve", "idgen.worker.lease", "idgen.acquire-timeout"})
    void aDurationIsTheDefaultOfItsSetting(String name) {
        String setting = IdSources.settings().stream()
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow()
                .defaultText()
                .orElseThrow();
        int seconds = Integer.parseInt(setting.replace("s", ""));

        assertThat(row("`" + name + "`")).containsAnyOf("| " + seconds + " s", "| " + seconds / 60 + " min |");
    }

    @Test
    void theLayoutHasTheseNumbers() {
        assertThat(row("last id"))
                .contains(SnowflakeLayout.IDGEN.end().toString().substring(0, 10));
        assertThat(row("snowflakes per process")).contains(number(SnowflakeLayout.IDGEN.idsPerTick()));
        assertThat(row("processes at the same time")).contains(number(SnowflakeLayout.IDGEN.workers()));
        assertThat(row("rows")).contains(number(SnowflakeLayout.IDGEN.workers() + 1));
    }

    @Test
    void namesAndBatchesHaveTheseLengths() {
        assertThat(row("`nextIds`")).contains(number(IdSource.MAX_BATCH));
        assertThat(row("name of a source")).contains(SegmentAllocator.MAX_NAME_LENGTH + " characters");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
