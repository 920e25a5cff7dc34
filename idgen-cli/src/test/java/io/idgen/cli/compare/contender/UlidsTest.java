package io.idgen.cli.compare.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class UlidsTest {

    /** The example of the specification: 01ARZ3NDEK is the time 2016-07-30T23:54:10.259Z. */
    @Test
    void theTextIsThatOfTheSpecification() {
        UUID ulid = new Ulids(InstantSource.fixed(Instant.parse("2016-07-30T23:54:10.259Z"))).get();

        assertThat(Ulids.text(ulid)).hasSize(26).startsWith("01ARZ3NDEK");
        assertThat(Ulids.text(new UUID(-1, -1))).isEqualTo("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
        assertThat(Ulids.text(new UUID(0, 1))).isEqualTo("00000000000000000000000001");
    }

    @Test
    void theyGrowWithinAMillisecondAndWhenTheClockStepsBack() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochMilli(1_000));
        Ulids ulids = new Ulids(now::get);
        List<String> texts = new ArrayList<>();
        for (long millis : new long[] {1_000, 1_000, 999, 1_001, 1_001}) {
            now.set(Instant.ofEpochMilli(millis));
            texts.add(Ulids.text(ulids.get()));
        }

        assertThat(texts).isSorted().doesNotHaveDuplicates();
    }
}
