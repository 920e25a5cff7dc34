package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs with a stride: the numbers between their ids belong to other instances. */
class SegmentIdSourceStrideTest extends RefillThreadFixture {
    /** A sequence that several instances share. An instance gets the ids with {@code id % instances == instance}. */
    private static final class Stepped extends MemoryRow {
        private final int instance;
        private final int instances;

        Stepped(int instance, int instances) {
            this.instance = instance;
            this.instances = instances;
        }

        @Override
        Segment run(int wanted) {
            return new Segment((next.getAndAdd(wanted) - 1) * instances + instance, wanted, instances);
        }

        @Override
        public void handBack(String name, List<Segment> newestFirst) {
            handedBack.add(List.copyOf(newestFirst));
        }
    }

    private static long[] firstOf(Stepped sequence, int count) {
        return LongStream.range(0, count)
                .map(i -> i * sequence.instances + sequence.instance)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1_000})
    void theBlocksOfAThreadAreAStrideApart(int instances) {
        Stepped sequence = new Stepped(instances, instances);
        try (SegmentIdSource ids = step(sequence, 640).threadOrder().build()) {
            assertThat(LongStream.generate(ids::nextId).limit(2_000).toArray()).isEqualTo(firstOf(sequence, 2_000));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void instancesThatShareASequenceNeverMeet(boolean threadOrder) throws Exception {
        SegmentIdSource.Builder[] builders = {step(new Stepped(1, 2), 640), step(new Stepped(2, 2), 640)};
        if (threadOrder) {
            builders[0].threadOrder();
            builders[1].threadOrder();
        }
        try (SegmentIdSource odd = builders[0].build();
                SegmentIdSource even = builders[1].build()) {
            List<long[]> drawn = ParallelThreads.run(4, thread -> {
                SegmentIdSource mine = thread % 2 == 0 ? odd : even;
                return LongStream.concat(
                                LongStream.generate(mine::nextId).limit(2_000), LongStream.of(mine.nextIds(1_000)))
                        .toArray();
            });

            ParallelThreads.assertDistinct(drawn);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 5", "1, 9", "3, 1", "3, 5", "3, 9", "7, 10", "7, 13"})
    void closingHandsBackExactlyTheIdsThatNobodyHas(int stride, int used) throws Exception {
        Stepped sequence = new Stepped(2, stride + 1);
        SegmentIdSource ids = step(sequence, 10).build();
        List<Long> all = new ArrayList<>();
        all.add(ids.nextId());
        if (used > 1) {
            LongStream.of(ids.nextIds(used - 1)).forEach(all::add);
        }
        settle(); // waits until the reserve has arrived

        ids.close();
        settle();

        assertThat(sequence.handedBack).hasSize(1);
        for (Segment rest : sequence.handedBack.get(0)) {
            assertThat(rest.stride()).isEqualTo(stride + 1);
            LongStream.range(0, rest.count()).forEach(i -> all.add(rest.first() + i * rest.stride()));
        }
        assertThat(all.stream().mapToLong(Long::longValue).sorted().toArray())
                .isEqualTo(firstOf(sequence, (int) sequence.next.get() - 1));
    }
}
