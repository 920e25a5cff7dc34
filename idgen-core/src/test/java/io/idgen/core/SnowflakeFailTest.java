package io.idgen.core;

import io.idgen.core.contract.IdSourceContract;
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
