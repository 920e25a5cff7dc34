package io.idgen.core.snowflake;

import io.idgen.core.IdSource;
import io.idgen.test.IdSourceContract;
import java.util.UUID;

/** Snowflakes with the policy that refuses any step back. */
class SnowflakeFailTest extends IdSourceContract {

    @Override
    protected IdSource open() {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .workerId(1)
                .clockPolicy(ClockPolicy.fail())
                .build();
    }
}
