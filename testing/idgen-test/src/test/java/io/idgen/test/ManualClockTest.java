package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private final ManualClock clock = new ManualClock("2026-01-01T00:00:00Z");

    @Test
    void theTimeMovesAsFarAsTheTestSays() {
        clock.advance(Duration.ofMillis(5));
        assertEquals(Instant.parse("2026-01-01T00:00:00.005Z"), clock.instant());
        clock.advance(Duration.ofSeconds(-1));
        assertEquals(Instant.parse("2025-12-31T23:59:59.005Z"), clock.instant());
        clock.set(Instant.EPOCH);
        assertEquals(0, clock.millis());
    }

    @Test
    void aGeneratorSeesAClockThatWasSetBack() {
        try (Snowflake ids = Snowflake.builder()
                .namespace("ManualClockTest")
                .workerId(1)
                .clock(clock)
                .clockPolicy(ClockPolicy.fail())
                .build()) {
            ids.nextId();
            clock.advance(Duration.ofMillis(-6));

            assertThrows(IdUnavailableException.class, ids::nextId);
        }
    }
}
