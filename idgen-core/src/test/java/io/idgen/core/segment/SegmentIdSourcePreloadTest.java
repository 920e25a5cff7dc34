package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.task.BackgroundThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests at which point of a segment the next one is fetched. */
@Timeout(60)
class SegmentIdSourcePreloadTest {
    private final MemoryRow row = new MemoryRow();
    private final ScheduledExecutorService one = BackgroundThreads.named("one", 1);

    @AfterEach
    void endThreads() {
        row.letGo();
        one.shutdownNow();
    }

    private SegmentIdSource open(double preload) {
        return SegmentIdSource.builder(row, "orders")
                .step(10)
                .maxStep(10)
                .preload(preload)
                .refills(one)
                .acquireTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** Returns the number of calls, after all tasks of the thread are done. */
    private int calls() throws Exception {
        one.submit(() -> {}).get(30, SECONDS);
        return row.wanted.size();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1", // the first id of a segment triggers the fetch of the next one
        "0.05, 1", // 5 % of ten ids are half an id, so the first id triggers the fetch
        "0.1, 2",
        "0.19, 2",
        "0.5, 6",
        "0.9, 10",
        "0.999, 10",
    })
    void theIdAtTheMarkHasTheNextSegmentFetchedAndNoneBefore(double preload, int mark) throws Exception {
        try (SegmentIdSource ids = open(preload)) {
            for (int id = 1; id <= 40; id++) {
                assertThat(ids.nextId()).isEqualTo(id);

                int reached = (id - 1) / 10 + ((id - 1) % 10 + 1 >= mark ? 1 : 0);
                assertThat(calls()).as("calls after id %d", id).isEqualTo(1 + reached);
            }
        }
    }

    @Test
    void inThreadOrderTheBlockWithTheMarkHasTheNextSegmentFetched() throws Exception {
        try (SegmentIdSource ids = SegmentIdSource.builder(row, "orders")
                .step(640)
                .maxStep(640)
                .preload(0.5)
                .threadOrder()
                .refills(one)
                .acquireTimeout(Duration.ofSeconds(30))
                .build()) {
            for (int id = 1; id <= 300; id++) {
                assertThat(ids.nextId()).isEqualTo(id);
            }
            assertThat(calls()).isEqualTo(1);
            for (int id = 301; id <= 330; id++) {
                assertThat(ids.nextId()).isEqualTo(id);
            }
            assertThat(calls()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'5', 1", // the ids before the mark
        "'6', 2", // the last id is the one at the mark
        "'5,1', 2", // the only id is the one at the mark
        "'5,5', 2", // the first id is the one at the mark
        "'3,4', 2", // the id at the mark is in the middle
        "'10', 2", // the whole segment
        "'6,4', 2", // the ids after the mark trigger nothing more
        "'10,5', 2", // the next segment has its own mark
        "'10,6', 3",
        "'8,5', 2", // into the next segment, but not to its mark
        "'8,8', 3", // into the next segment, and over its mark
        "'15', 2", // to the mark of the next segment, which was fetched at the mark of the first one
    })
    void aBatchThatTakesTheIdAtTheMarkHasTheNextSegmentFetched(String batches, int calls) throws Exception {
        for (int i = 0; i < 3; i++) {
            row.answers.add(() -> row.run(10));
        }
        try (SegmentIdSource ids = open(0.5)) {
            for (int count : parts(batches)) {
                assertThat(ids.nextIds(count)).hasSize(count);
                calls();
            }

            assertThat(calls()).isEqualTo(calls);
        }
    }

    private static int[] parts(String numbers) {
        return Arrays.stream(numbers.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    @Test
    void aLoneCallerReservesOneSegment() throws Exception {
        try (SegmentIdSource ids = open(0.1)) {
            ids.nextId();

            assertThat(calls()).isEqualTo(1);
            assertThat(row.next).hasValue(11);
        }
    }

    @Test
    void callersWhoLackMoreThanTheSegmentHasDoNotWaitForItsMark() throws Exception {
        row.hold();
        row.answers.add(() -> row.run(1));
        try (SegmentIdSource ids = open(0.5)) {
            Caller first = new Caller(ids::nextId).waits();
            Caller second = new Caller(ids::nextId).waits();
            row.letGo();

            assertThat(first.id() + second.id()).isEqualTo(3);
            assertThat(calls()).isEqualTo(2);
        }
    }

    @Test
    void aDeadDatabaseIsNotNoticedWhileTheRestBehindTheMarkLasts() throws Exception {
        try (SegmentIdSource ids = open(0.5)) {
            ids.nextIds(5);
            row.answers.add(MemoryRow.failing(MemoryRow.databaseFailed()));

            assertThat(ids.nextIds(5)).containsExactly(6, 7, 8, 9, 10);
            assertThat(ids.nextId()).isEqualTo(11);
        }
    }
}
