package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warming up fetches the ids that the first calls would wait for, or throws the reason why it cannot. */
class SegmentIdSourceWarmUpTest extends RefillThreadFixture {
    @Test
    void aSegmentToUseAndOneInReserveAreFetched() throws Exception {
        try (SegmentIdSource ids = step(row, 10).build()) {
            ids.warmUp();
            assertThat(row.wanted).containsExactly(10, 10);

            row.hold(); // the database no longer answers
            assertThat(LongStream.generate(ids::nextId).limit(20).toArray())
                    .isEqualTo(LongStream.rangeClosed(1, 20).toArray());
        }
    }

    @Test
    void manyWhoWarmUpFetchNoMoreThanOne() throws Exception {
        row.hold();
        try (SegmentIdSource ids = step(row, 10).build()) {
            List<Caller> callers =
                    Stream.generate(() -> Caller.of(ids::warmUp)).limit(10).toList();
            callers.forEach(Caller::waits);
            row.letGo();
            for (Caller caller : callers) {
                caller.id();
            }
            settle();

            assertThat(row.wanted).hasSize(2);
            assertThat(ids.nextId()).isEqualTo(1);
        }
    }

    @Test
    void aRefusalIsThrown() {
        AllocationException refusal = new AllocationException(ErrorCode.START_UNKNOWN, "no row for 'orders'");
        row.answers.add(MemoryRow.failing(refusal));
        ManualTime time = new ManualTime(Instant.EPOCH);
        try (SegmentIdSource ids = step(row, 10).time(time).build()) {
            assertThat(assertThrows(AllocationException.class, ids::warmUp)).hasCause(refusal);
            assertThat(assertThrows(AllocationException.class, ids::warmUp)).hasCause(refusal);
            assertThat(row.wanted).hasSize(1);

            time.advance(Duration.ofMillis(50));
            ids.warmUp();
            assertThat(ids.nextId()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClosedSourceIsNotWarmedUp(boolean used) throws Exception {
        SegmentIdSource ids = step(row, 10).build();
        if (used) {
            ids.warmUp();
        }
        ids.close();
        settle();
        int calls = row.wanted.size();

        assertThat(assertThrows(IdGenerationException.class, ids::warmUp).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
        settle();
        assertThat(row.wanted).hasSize(calls);
    }
}
