package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which layouts can have generated the ids of a table. */
class LayoutMatchTest {
    private static final Collection<SnowflakeLayout> PRESETS =
            SnowflakeLayout.presets().values();

    private static List<LayoutMatch> match(List<Long> ids) {
        return new IdInspector(Samples.CLOCK).match(ids, PRESETS);
    }

    /** Ids of a table in use: the last one is a minute old. */
    private static List<Long> ids(SnowflakeLayout layout) {
        List<Long> ids = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            ids.add(Samples.id(layout, Samples.NOW.minusSeconds(60L * i), 0, i % 3, 0));
        }
        Collections.shuffle(ids);
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"idgen", "twitter", "discord", "instagram", "sonyflake", "tsid", "js-safe"})
    void thePresetOfATableInUseIsTheFirst(String preset) {
        SnowflakeLayout layout = SnowflakeLayout.presets().get(preset);

        LayoutMatch first = match(ids(layout)).get(0);

        assertThat(first.layout()).isEqualTo(layout);
        assertThat(first.ids()).isEqualTo(100);
        assertThat(first.newest().parts().time()).isEqualTo(Samples.NOW.minusSeconds(60));
        assertThat(first.oldest().parts().time()).isEqualTo(Samples.NOW.minusSeconds(6000));
        assertThat(first.workers()).containsOnlyKeys(worker(layout, 0), worker(layout, 1), worker(layout, 2));
    }

    private static String worker(SnowflakeLayout layout, int worker) {
        return layout.datacenterBits() == 0 ? "(" + worker + ")" : "(0," + worker + ")";
    }

    @Test
    void theBusiestWorkerIsTheFirst() {
        SnowflakeLayout twitter = SnowflakeLayout.TWITTER;
        Instant time = Samples.NOW.minusSeconds(60);

        LayoutMatch first = match(List.of(
                        Samples.id(twitter, time, 1, 2, 0),
                        Samples.id(twitter, time, 3, 4, 0),
                        Samples.id(twitter, time, 3, 4, 1)))
                .get(0);

        assertThat(first.workers()).containsExactly(Map.entry("(3,4)", 2L), Map.entry("(1,2)", 1L));
    }

    /** The control: numbers of a sequence are no snowflakes. */
    @Test
    void numbersOfASequenceMatchNoPreset() {
        assertThat(match(LongStream.rangeClosed(1, 2_000).boxed().toList())).isEmpty();
        assertThat(match(List.of(1L, 48_211L, 5_000_000_000L, 1_000_000_000_000L)))
                .isEmpty();
    }

    @Test
    void smallNumbersBesideSnowflakesDoNotCount() {
        List<Long> ids = new ArrayList<>(ids(SnowflakeLayout.TSID));
        LongStream.rangeClosed(1, 50).forEach(ids::add);

        LayoutMatch first = match(ids).get(0);

        assertThat(first.layout()).isEqualTo(SnowflakeLayout.TSID);
        assertThat(first.ids()).isEqualTo(100);
    }

    @Test
    void idsOfTheFutureDoNotCount() {
        List<Long> ids = List.of(SnowflakeLayout.TWITTER.firstIdAt(Samples.NOW.plusSeconds(86_401)));

        assertThat(match(ids)).noneMatch(match -> match.layout().equals(SnowflakeLayout.TWITTER));
    }
}
