package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand threads that ask a cold source at the same time. */
@Timeout(60)
class SegmentIdSourceBurstTest {
    private static final int THREADS = 1_000;

    private final MemoryRow row = new MemoryRow();

    @AfterEach
    void letGo() {
        row.letGo();
    }

    private static SegmentIdSource.Builder step(MemoryRow row, int step) {
        return SegmentIdSource.builder(row, "orders").step(step).acquireTimeout(Duration.ofSeconds(30));
    }

    /** So many threads wait, each for one id, and then the table answers. */
    private static long[] burst(SegmentIdSource ids, MemoryRow table) throws Exception {
        table.hold();
        List<Caller> callers =
                Stream.generate(() -> new Caller(ids::nextId)).limit(THREADS).toList();
        callers.forEach(Caller::waits);
        table.letGo();
        long[] drawn = new long[THREADS];
        for (int i = 0; i < THREADS; i++) {
            drawn[i] = callers.get(i).id();
        }
        return drawn;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000})
    void allAreServedByAsManyIdsAsTheyLack(int step) throws Exception {
        try (SegmentIdSource ids = step(row, step).build()) {
            long[] drawn = burst(ids, row);

            assertThat(LongStream.of(drawn).sorted().toArray())
                    .isEqualTo(LongStream.rangeClosed(1, THREADS).toArray());
            // the first call is made for those who wait by then; if they are not all, a second asks for what the others
            // lack
            assertThat(row.wanted).hasSizeLessThanOrEqualTo(4);
            assertThat(row.wanted.stream().limit(2).mapToInt(wanted -> wanted).sum())
                    .isGreaterThanOrEqualTo(THREADS);
        }
    }

    @Test
    void allAreServedWhereEachRunIsOfOneId() throws Exception {
        MemoryRow fixed = MemoryRow.fixed(1);
        try (SegmentIdSource ids = step(fixed, 1).build()) {
            long[] drawn = burst(ids, fixed);

            assertThat(LongStream.of(drawn).sorted().toArray())
                    .isEqualTo(LongStream.rangeClosed(1, THREADS).toArray());
            assertThat(fixed.wanted).hasSize(THREADS);
        }
    }

    @Test
    void allAreServedWhereRunsAreShorterThanWanted() throws Exception {
        MemoryRow shortRuns = new MemoryRow() {
            @Override
            Segment run(int wanted) {
                return super.run(Math.min(wanted, 7));
            }
        };
        try (SegmentIdSource ids = step(shortRuns, 10).preload(0.5).build()) {
            long[] drawn = burst(ids, shortRuns);

            assertThat(LongStream.of(drawn).sorted().toArray())
                    .isEqualTo(LongStream.rangeClosed(1, THREADS).toArray());
        }
    }
}
