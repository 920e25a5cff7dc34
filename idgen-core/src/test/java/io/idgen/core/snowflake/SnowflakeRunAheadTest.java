package io.idgen.core.snowflake;

import io.idgen.core.IdSource;
import io.idgen.test.IdSourceContract;
import java.time.Duration;
import java.util.UUID;

/** Snowflakes while they may run 20 ms ahead of the clock. */
class SnowflakeRunAheadTest extends IdSourceContract {

    @Override
    protected IdSource open() {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .workerId(1)
                .clockPolicy(ClockPolicy.runAheadAtMost(Duration.ofMillis(20)))
                .build();
    }
}
