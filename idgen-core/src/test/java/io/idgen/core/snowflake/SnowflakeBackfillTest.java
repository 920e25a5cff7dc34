package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SnowflakeBackfillTest {
    private static final SnowflakeLayout IDGEN = SnowflakeLayout.IDGEN;
    private static final Instant THEN = Instant.parse("2025-03-01T12:00:00.123Z");

    @Test
    void anIdTellsTheMomentOfItsRow() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            assertThat(IDGEN.parse(backfill.idAt(THEN))).isEqualTo(new SnowflakeParts(THEN, 31, 30, 0));
            assertThat(IDGEN.parse(backfill.idAt(THEN))).isEqualTo(new SnowflakeParts(THEN, 31, 30, 1));
            assertThat(IDGEN.parse(backfill.idAt(THEN.plusMillis(1))))
                    .isEqualTo(new SnowflakeParts(THEN.plusMillis(1), 31, 30, 0));
        }
    }

    @Test
    void rowsOutOfOrderAreRefused() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            backfill.idAt(THEN);

            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(THEN.minusMillis(1))))
                    .hasMessageContaining("sort the rows");
            assertThat(IDGEN.parse(backfill.idAt(THEN)).sequence()).isEqualTo(1);
        }
    }

    @Test
    void theFutureAndTheTimeBeforeTheEpochAreRefused() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            Instant future = Instant.now().plus(Duration.ofDays(1));
            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(future)))
                    .hasMessageContaining("in the future");
            assertThat(assertThrows(
                            IllegalArgumentException.class, () -> backfill.idAt(Instant.parse("2023-12-31T23:59:59Z"))))
                    .hasMessageContaining("outside the layout");
        }
    }

    @Test
    void aFullTickIsRefusedAndNotCarriedOutOf() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            for (int i = 0; i < 4096; i++) {
                assertThat(IDGEN.parse(backfill.idAt(THEN)).sequence()).isEqualTo(i);
            }

            assertThat(assertThrows(IdGenerationException.class, () -> backfill.idAt(THEN))
                            .code())
                    .isEqualTo(ErrorCode.TICK_USED_UP);
            assertThat(IDGEN.parse(backfill.idAt(THEN.plusMillis(1))).sequence())
                    .isZero();
        }
    }

    @Test
    void itIsTakenUpAgainAboveTheLastIdThatWasWritten() {
        long written;
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            backfill.idAt(THEN);
            written = backfill.idAt(THEN);
        }
        try (SnowflakeBackfill backfill = SnowflakeBackfill.resume(IDGEN, 31, 30, written)) {
            assertThat(backfill.idAt(THEN)).isEqualTo(written + 1);
        }
        assertThat(assertThrows(IllegalArgumentException.class, () -> SnowflakeBackfill.resume(IDGEN, 31, 29, written)))
                .hasMessageContaining("worker 30");
    }

    @Test
    void theReservedWorkerIdIsRefusedToALiveGeneratorAndToAnotherBackfill() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            Snowflake.Builder live = Snowflake.builder().datacenterId(31).workerId(30);

            assertThat(assertThrows(ConfigurationException.class, live::build).code())
                    .isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(assertThrows(ConfigurationException.class, () -> SnowflakeBackfill.begin(IDGEN, 31, 30))
                            .code())
                    .isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(backfill.idAt(THEN)).isPositive();
        }
        SnowflakeBackfill.begin(IDGEN, 31, 30).close();
    }

    @Test
    void aClosedBackfillGivesNothing() {
        SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30);
        backfill.close();
        backfill.close();

        assertThat(assertThrows(IdGenerationException.class, () -> backfill.idAt(THEN))
                        .code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    void theFirstTickOfTheLayoutIsLeftOutAndTheSecondBeginsAtItsFirstId() {
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(IDGEN, 31, 30)) {
            assertThrows(IllegalArgumentException.class, () -> backfill.idAt(IDGEN.epoch()));
            assertThat(IDGEN.parse(backfill.idAt(IDGEN.epoch().plusMillis(1))))
                    .isEqualTo(new SnowflakeParts(IDGEN.epoch().plusMillis(1), 31, 30, 0));
        }
    }

    @Test
    void itIsTakenUpAgainAlsoWhereTheSequenceStandsAboveTheWorker() {
        SnowflakeLayout sonyflake = SnowflakeLayout.SONYFLAKE;
        long written;
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(sonyflake, 0, 65_535)) {
            backfill.idAt(THEN);
            written = backfill.idAt(THEN);
        }
        try (SnowflakeBackfill backfill = SnowflakeBackfill.resume(sonyflake, 0, 65_535, written)) {
            assertThat(sonyflake.parse(backfill.idAt(THEN)).sequence()).isEqualTo(2);
        }
    }

    @Test
    void aMomentAfterTheEndOfTheLayoutIsRefused() {
        SnowflakeLayout ended = SnowflakeLayout.IDGEN.withEpoch(Instant.parse("1930-01-01T00:00:00Z"));
        Instant end = ended.end();
        try (SnowflakeBackfill backfill = SnowflakeBackfill.begin(ended, 0, 23)) {
            assertThat(ended.parse(backfill.idAt(end)).time()).isEqualTo(end);
            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(end.plusMillis(1))))
                    .hasMessageContaining("is outside the layout");
        }
    }

    @Test
    void itIsNotTakenUpAgainFromAnIdOfAnotherDatacenterOrWorker() {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        long id = layout.compose(new SnowflakeParts(Instant.parse("2025-01-01T00:00:00Z"), 3, 24, 0));

        SnowflakeBackfill.resume(layout, 3, 24, id).close();
        assertThrows(IllegalArgumentException.class, () -> SnowflakeBackfill.resume(layout, 2, 24, id));
        assertThrows(IllegalArgumentException.class, () -> SnowflakeBackfill.resume(layout, 3, 25, id));
    }
}
