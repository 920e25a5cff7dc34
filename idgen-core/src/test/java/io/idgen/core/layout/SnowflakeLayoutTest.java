package io.idgen.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout.FieldOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnowflakeLayoutTest {
    private static final SnowflakeLayout IDGEN = SnowflakeLayout.IDGEN;
    private static final List<Duration> TICKS =
            List.of(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(1));

    // vectors

    @Test
    void theDefaultLayoutIsPinnedForEver() {
        assertThat(IDGEN)
                .isEqualTo(
                        new SnowflakeLayout(Instant.ofEpochSecond(1_704_067_200), Duration.ofMillis(1), 41, 5, 5, 12));
        assertThat(IDGEN.epoch()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
        assertThat(IDGEN.end()).isEqualTo(Instant.parse("2093-09-06T15:47:35.551Z"));
        assertThat(IDGEN.workers()).isEqualTo(1024);
        assertThat(IDGEN.idsPerTick()).isEqualTo(4096);
        assertThat(IDGEN).hasToString("41-5-5-12 from 2024-01-01T00:00:00Z");
    }

    @Test
    void thePrintedIdOfTheArticleIsReadAndMadeAgain() {
        SnowflakeLayout layout = IDGEN.withEpoch(Instant.parse("2016-01-01T00:00:00Z"));
        SnowflakeParts parts = new SnowflakeParts(Instant.parse("2017-09-15T09:35:04.848Z"), 2, 5, 0);

        assertThat(layout.parse(225912364091068416L)).isEqualTo(parts);
        assertThat(layout.parse(0x03229A1924045000L)).isEqualTo(parts);
        assertThat(layout.compose(parts)).isEqualTo(225912364091068416L);
    }

    @Test
    void discordsDocumentedIdIsReadAndMadeAgain() {
        // worker 1, process 0, increment 7 in Discord's words
        // Source: https://discord.com/developers/docs/reference#snowflakes
        SnowflakeLayout layout = IDGEN.withEpoch(SnowflakeLayout.parseEpoch("1420070400000"));
        SnowflakeParts parts = new SnowflakeParts(Instant.parse("2016-04-30T11:18:25.796Z"), 1, 0, 7);

        assertThat(layout.parse(175928847299117063L)).isEqualTo(parts);
        assertThat(layout.compose(parts)).isEqualTo(175928847299117063L);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.001S, 2093-09-06T15:47:35.551Z",
        "PT0.01S, 2720-11-04T13:55:55.519Z",
        "PT1S, +71708-04-10T01:12:31.999Z"
    })
    void aLayoutEndsInTheLastMillisecondOfItsLastTick(Duration tick, Instant end) {
        SnowflakeLayout layout = new SnowflakeLayout(IDGEN.epoch(), tick, 41, 5, 5, 12);

        assertThat(layout.end()).isEqualTo(end);
        assertThat(layout.parse(Long.MAX_VALUE).time())
                .isEqualTo(end.plusMillis(1).minus(tick));
    }

    // properties

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyIdOfEveryLayoutComesBackFromItsParts(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            // up to 51 bits of seconds end within what an epoch millisecond can name
            int bits = random.nextBoolean() ? 63 : 53;
            SnowflakeLayout layout = layout(random, bits, 1 + random.nextInt(51));
            for (int j = 0; j < 50; j++) {
                long id = random.nextLong() >>> (64 - bits);
                SnowflakeParts parts = layout.parse(id);

                assertThat(layout.compose(parts)).as("%s", layout).isEqualTo(id);
                assertThat(parts.time()).isBetween(layout.epoch(), layout.end());
                assertThat(layout.firstIdAt(parts.time())).isLessThanOrEqualTo(id);
                assertThat(layout.firstIdAt(parts.time().plusNanos(1))).isGreaterThan(id);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"54, 1000", "60, 1000", "63, 1000", "61, 10", "63, 10", "63, 1"})
    void aTimeThatNoMillisecondCanNameIsRefused(int timeBits, long tickMillis) {
        Duration tick = Duration.ofMillis(tickMillis);

        assertThat(assertThrows(
                        IllegalArgumentException.class,
                        () -> new SnowflakeLayout(IDGEN.epoch(), tick, timeBits, 0, 0, 63 - timeBits)))
                .hasMessageContainingAll(
                        timeBits + " bits of time in ticks of " + Durations.text(tick),
                        "end beyond what a millisecond since 1970 can name",
                        "give some to another field");
    }

    private static SnowflakeLayout layout(Random random, int bits, int timeBits) {
        int[] widths = new int[3];
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(order, random);
        int left = bits - timeBits;
        for (int i = 0; i < 3; i++) {
            int othersCanTake = 31 * (2 - i);
            int least = Math.max(0, left - othersCanTake);
            widths[order.get(i)] = i == 2 ? left : least + random.nextInt(Math.min(31, left) - least + 1);
            left -= widths[order.get(i)];
        }
        return new SnowflakeLayout(
                Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L) - 1_000_000_000_000L),
                TICKS.get(random.nextInt(3)),
                timeBits,
                widths[0],
                widths[1],
                widths[2],
                random.nextBoolean() ? FieldOrder.SEQUENCE_LOWEST : FieldOrder.SEQUENCE_ABOVE_WORKER);
    }

    // presets

    @ParameterizedTest
    @CsvSource({
        "idgen, 41, 0, 5, 5, 12, 2024-01-01T00:00:00Z, 1, 2093",
        "js-safe, 41, 0, 0, 3, 9, 2024-01-01T00:00:00Z, 1, 2093",
        "twitter, 41, 0, 5, 5, 12, 2010-11-04T01:42:54.657Z, 1, 2080",
        "discord, 41, 0, 5, 5, 12, 2015-01-01T00:00:00Z, 1, 2084",
        "instagram, 40, 0, 0, 13, 10, 2011-08-24T21:07:01.721Z, 1, 2046",
        "sonyflake, 39, 1, 0, 16, 8, 2014-09-01T00:00:00Z, 10, 2188",
        "tsid, 41, 0, 0, 10, 12, 2020-01-01T00:00:00Z, 1, 2089"
    })
    void aPresetIsAsPublished(
            String name,
            int time,
            int order,
            int datacenter,
            int worker,
            int sequence,
            Instant epoch,
            int tick,
            int end) {
        SnowflakeLayout preset = SnowflakeLayout.parse(name);

        assertThat(preset)
                .isEqualTo(new SnowflakeLayout(
                        epoch,
                        Duration.ofMillis(tick),
                        time,
                        datacenter,
                        worker,
                        sequence,
                        FieldOrder.values()[order]));
        assertThat(preset.end().atOffset(ZoneOffset.UTC).getYear()).isEqualTo(end);
        assertThat(SnowflakeLayout.presets()).containsEntry(name, preset).hasSize(7);
    }

    @Test
    void theExampleOfInstagramsDescriptionIsMadeAndRead() {
        // shard 1341, the 5001st id of its sequence, 1387263000 ms after the epoch
        SnowflakeParts parts =
                new SnowflakeParts(SnowflakeLayout.INSTAGRAM.epoch().plusMillis(1_387_263_000), 0, 1341, 5001 % 1024);
        long id = 1_387_263_000L << (64 - 41) | 1341 << (64 - 41 - 13) | 5001 % 1024;

        assertThat(SnowflakeLayout.INSTAGRAM.compose(parts)).isEqualTo(id);
        assertThat(SnowflakeLayout.INSTAGRAM.parse(id)).isEqualTo(parts);
    }

    // ranges and capacity

    // reading settings

    @ParameterizedTest
    @ValueSource(strings = {"", "twiter", "41", "41-22", "41/5/5/12", "41--5-17", "441-5-5-12"})
    void aTextThatIsNoLayoutIsRefused(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> SnowflakeLayout.parse(text)))
                .hasMessage("a layout is one of idgen, js-safe, twitter, discord, instagram, sonyflake, tsid, or widths"
                        + " like 41-5-5-12, got '"
                        + text + "'");
    }

    @Test
    void widthsWithUnusedBitsAreRefusedWithAWiderTimeThatHasTheSameIds() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> SnowflakeLayout.parse("41-5-3-11")))
                .hasMessageContaining("sum to 60, not 63")
                .hasMessageEndingWith(
                        "give 3 more; to leave bits unused, write 44 bits of time: the ids are the same, because"
                                + " the upper bits of the time are 0");
        assertThat(assertThrows(IllegalArgumentException.class, () -> SnowflakeLayout.parse("39-3-8")))
                .hasMessageContaining(
                        "give 13 more; to leave bits unused, write 52 bits of time, or 42 for ids of 53 bits:");

        long id =
                (1_000L << 19) | (2L << 14) | (7L << 11) | 12; // 3 unused, time 41, datacenter 5, worker 3, sequence 11
        SnowflakeParts parts = new SnowflakeParts(IDGEN.epoch().plusMillis(1_000), 2, 7, 12);
        assertThat(SnowflakeLayout.parse("44-5-3-11").compose(parts)).isEqualTo(id);
        assertThat(SnowflakeLayout.parse("44-5-3-11").parse(id)).isEqualTo(parts);
    }

    @ParameterizedTest
    @CsvSource({
        "41-5-5-11, 62, give 1 more", "41-5-5-13, 64, take 1 away",
        "42-10-12, 64, take 1 away", "30-5-5-12, 52, give 11 more",
        "0-31-31-1, 63, "
    })
    void widthsThatDoNotSumTo63AreRefusedWithWhatIsMissing(String text, int sum, String wayOut) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> SnowflakeLayout.parse(text));

        if (wayOut == null) { // the sum is right, and yet there is no time
            assertThat(e.getMessage()).contains("time").doesNotContain("not 63").doesNotContain("take 0 away");
        } else {
            assertThat(e).hasMessageContainingAll("sum to " + sum + ", not 63", "the sign bit is not counted", wayOut);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2024-01-01T00:00:00Z, 2024-01-01T00:00:00Z",
        "2016-01-01T00:00:00+08:00, 2015-12-31T16:00:00Z",
        "2016-01-01T00:00+08:00, 2015-12-31T16:00:00Z", // as the documentation of parseEpoch writes it
        "1288834974657, 2010-11-04T01:42:54.657Z",
        "0, 1970-01-01T00:00:00Z"
    })
    void anEpochIsAnInstantWithItsZoneOrMilliseconds(String text, Instant epoch) {
        assertThat(SnowflakeLayout.parseEpoch(" " + text + " ")).isEqualTo(epoch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2016-01-01", "2016-01-01T00:00:00", "2016-01-01 00:00:00Z", "now", "", "-1"})
    void anEpochWithoutAZoneIsRefused(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> SnowflakeLayout.parseEpoch(text)))
                .hasMessage("an epoch is an instant with its zone, for example 2024-01-01T00:00:00Z, or milliseconds"
                        + " since 1970, got '" + text + "'");
    }

    // parts

    @ParameterizedTest
    @CsvSource({"32, 0, 0, datacenter", "0, 32, 0, worker", "0, 0, 4096, sequence"})
    void aPartThatDoesNotFitIsRefused(int datacenter, int worker, int sequence, String field) {
        SnowflakeParts parts = new SnowflakeParts(Instant.parse("2026-11-20T08:00:00Z"), datacenter, worker, sequence);

        assertThat(assertThrows(IllegalArgumentException.class, () -> IDGEN.compose(parts)))
                .hasMessageContainingAll(field, Integer.toString(datacenter + worker + sequence));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2023-12-31T23:59:59.999Z", "2093-09-06T15:47:35.552Z"})
    void aTimeOutsideTheLayoutIsRefused(Instant time) {
        SnowflakeParts parts = new SnowflakeParts(time, 0, 0, 0);

        assertThat(assertThrows(IllegalArgumentException.class, () -> IDGEN.compose(parts)))
                .hasMessage(time + " is outside the layout, which counts from 2024-01-01T00:00:00Z to"
                        + " 2093-09-06T15:47:35.551Z; choose another epoch or widen the time");
    }

    @Test
    void aNegativeIdHasNoParts() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> IDGEN.parse(-1)))
                .hasMessage("an id is never negative, got -1");
    }
}
