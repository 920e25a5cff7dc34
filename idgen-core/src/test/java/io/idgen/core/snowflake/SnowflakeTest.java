package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.test.IdSourceContract;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Snowflakes with the defaults, on this host's clock. Only the worker id is set. */
class SnowflakeTest extends IdSourceContract {

    @Override
    protected IdSource open() {
        return fresh().workerId(1).build();
    }

    private static Snowflake.Builder fresh() {
        return Snowflake.builder().namespace(UUID.randomUUID().toString());
    }

    @Test
    void anIdContainsItsTimeAndWorkerId() {
        Instant before = Instant.now().minusMillis(1);
        try (Snowflake ids = fresh().datacenterId(7).workerId(31).build()) {
            SnowflakeParts parts = ids.layout().parse(ids.nextId());

            assertThat(parts.datacenter()).isEqualTo(7);
            assertThat(parts.worker()).isEqualTo(31);
            assertThat(parts.time()).isBetween(before, Instant.now());
        }
    }

    @Test
    void aWorkerIdHasNoDefault() {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> fresh().build());

        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_UNKNOWN);
        assertThat(e).hasMessageContainingAll("IDGEN-105", "a worker id that no other process has", "0 to ");
    }

    @Test
    void aWorkerOrDatacenterIdThatDoesNotFitIsRefused() {
        ConfigurationException worker = assertThrows(
                ConfigurationException.class, () -> fresh().workerId(32).build());
        ConfigurationException datacenter = assertThrows(
                ConfigurationException.class,
                () -> fresh().datacenterId(-1).workerId(0).build());

        assertThat(worker.code()).isEqualTo(ErrorCode.INVALID_SETTING);
        assertThat(worker).hasMessageContainingAll("worker", "32", "31");
        assertThat(datacenter.code()).isEqualTo(ErrorCode.INVALID_SETTING);
        assertThat(datacenter).hasMessageContainingAll("datacenter", "-1", "31");
    }

    @Test
    void aLayoutThatHasEndedIsRefused() {
        Snowflake.Builder late = fresh().workerId(0).clock(clock("2093-09-06T15:47:35.552Z"));

        ConfigurationException e = assertThrows(ConfigurationException.class, late::build);

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        assertThat(e)
                .hasMessageContainingAll(
                        "ended at 2093-09-06T15:47:35.551Z", "now 2093-09-06T15:47:35.552Z", "a later epoch");
    }

    private static Clock clock(String instant) {
        return Clock.fixed(Instant.parse(instant), ZoneOffset.UTC);
    }
}
