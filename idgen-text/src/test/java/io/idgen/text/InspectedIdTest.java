package io.idgen.text;

import static io.idgen.text.Samples.ARTICLE;
import static io.idgen.text.Samples.ARTICLE_ID;
import static io.idgen.text.Samples.CLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InspectedIdTest {
    private final IdInspector inspector = new IdInspector(CLOCK);
    private final InspectedId article = inspector.inspect(ARTICLE_ID, ARTICLE);

    static Iterable<SnowflakeLayout> layouts() {
        return Samples.layouts();
    }

    @Test
    void hasThePartsThatTheArticlePrinted() {
        assertThat(article.parts()).isEqualTo(new SnowflakeParts(Instant.parse("2017-09-15T09:35:04.848Z"), 2, 5, 0));
        assertThat(article.hex()).isEqualTo("03229A1924045000");
        assertThat(article.binary()).isEqualTo("0000001100100010100110100001100100100100000001000101000000000000");
        assertThat(article.plausible()).isTrue();
        assertThat(article.preset()).isEmpty();
    }

    @Test
    void hasThePartsThatDiscordDocuments() {
        InspectedId discord = inspector.inspect(175928847299117063L, SnowflakeLayout.DISCORD);
        assertThat(discord.parts()).isEqualTo(new SnowflakeParts(Instant.parse("2016-04-30T11:18:25.796Z"), 1, 0, 7));
        assertThat(discord.preset()).contains("discord");
        assertThat(discord).hasToString("175928847299117063 under discord: 2016-04-30 11:18:25.796, #7, @(1,0), UTC");
    }

    @Test
    void saysTheTimeInUtc() {
        assertThat(article.text()).isEqualTo("2017-09-15 09:35:04.848, #0, @(2,5), UTC");
    }

    @Test
    void saysTheSameWhateverTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(article.drawing()).contains("2017-09-15 09:35:04.848, #0, @(2,5), UTC");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void drawsWhichBitsAreWhich() {
        assertThat(article.drawing()).isEqualTo("""
                        layout   41-5-5-12 from 2016-01-01T00:00:00Z
                        parts    2017-09-15 09:35:04.848, #0, @(2,5), UTC
                                 plausible
                        decimal  225912364091068416
                        hex      03229A1924045000
                        binary   0000001100100010100110100001100100100100000001000101000000000000
                                 |`-------------------+-------------------'`-+-'`-+-'`----+-----'
                                 |                    |                      |    |       `- sequence, 12 bits: 0
                                 |                    |                      |    `- worker, 5 bits: 5
                                 |                    |                      `- datacenter, 5 bits: 2
                                 |                    `- time, 41 bits: 53861704848 ticks of 1 ms since 2016-01-01T00:00:00Z
                                 `- sign, 1 bit: 0""");
    }

    @Test
    void drawsTheSequenceAboveTheWorker() {
        assertThat(inspector
                        .inspect(175928847299117063L, SnowflakeLayout.SONYFLAKE)
                        .drawing())
                .isEqualTo("""
                        layout   sonyflake, 39-0-16-8@10ms,sequence-above-worker from 2014-09-01T00:00:00Z
                        parts    2017-12-27 16:16:04.490, #2, @(7), UTC
                                 plausible
                        decimal  175928847299117063
                        hex      0271065AC1020007
                        binary   0000001001110001000001100101101011000001000000100000000000000111
                                 |`------------------+------------------'`--+---'`------+-------'
                                 |                   |                      |           `- worker, 16 bits: 7
                                 |                   |                      `- sequence, 8 bits: 2
                                 |                   `- time, 39 bits: 10486176449 ticks of 10 ms since 2014-09-01T00:00:00Z
                                 `- sign, 1 bit: 0""");
    }

    @Test
    void drawsTheBitsThatAnIdForJavaScriptLeavesUnused() {
        assertThat(inspector.inspect(1234567890123456L, SnowflakeLayout.JS_SAFE).drawing())
                .isEqualTo("""
                        layout   js-safe, 41-0-3-9 from 2024-01-01T00:00:00Z
                        parts    2033-07-20 12:29:36.299, #192, @(5), UTC
                                 not plausible: no id can have this time yet
                        decimal  1234567890123456
                        hex      000462D53C8ABAC0
                        binary   0000000000000100011000101101010100111100100010101011101011000000
                                 |`---+----'`-------------------+-------------------'`+'`---+---'
                                 |    |                         |                     |     `- sequence, 9 bits: 192
                                 |    |                         |                     `- worker, 3 bits: 5
                                 |    |                         `- time, 41 bits: 301408176299 ticks of 1 ms since 2024-01-01T00:00:00Z
                                 |    `- unused, 10 bits: 0
                                 `- sign, 1 bit: 0""");
    }

    @Test
    void drawsFieldsOfOneBitAndOfTwo() {
        assertThat(inspector.inspect(7, SnowflakeLayout.parse("60-1-2-0")).drawing())
                .contains("'|+'\n")
                .contains("|`- worker, 2 bits: 3\n")
                .contains(" `- datacenter, 1 bit: 1\n");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void drawsAnyLayoutInAsciiWith64BitsAndABraceBelow(SnowflakeLayout layout) {
        Random random = new Random(2);
        for (int i = 0; i < 100; i++) {
            long id = random.nextLong() >>> (64 - 50);
            String drawing = inspector.inspect(id, layout).drawing();
            assertThat(drawing)
                    .isEqualTo(new String(drawing.getBytes(StandardCharsets.US_ASCII), StandardCharsets.UTF_8));
            String[] lines = drawing.split("\n");
            assertThat(lines[5]).startsWith("binary   ").hasSize(9 + 64);
            assertThat(Long.parseUnsignedLong(lines[5].substring(9), 2)).isEqualTo(id);
            assertThat(lines[6]).hasSize(9 + 64);
            assertThat(lines).hasSize(7 + Fields.of(layout).fromTheTop().size());
        }
    }

    @Test
    void writesTheSmallestIdWithAllDigits() {
        InspectedId zero = inspector.inspect(0, SnowflakeLayout.IDGEN);
        assertThat(zero.hex()).isEqualTo("0".repeat(16));
        assertThat(zero.binary()).isEqualTo("0".repeat(64));
    }

    @Test
    void namesItsFieldsFromTheTop() {
        assertThat(article.fields())
                .extracting(field -> field.name() + " " + field.of(ARTICLE_ID))
                .containsExactly("sign 0", "time 53861704848", "datacenter 2", "worker 5", "sequence 0");
    }
}
