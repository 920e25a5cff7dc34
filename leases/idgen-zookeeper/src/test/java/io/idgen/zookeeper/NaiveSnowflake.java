package io.idgen.zookeeper;

import io.idgen.core.layout.SnowflakeLayout;

/** A Snowflake that trusts the worker id it was given, and this host's clock. */
final class NaiveSnowflake {
    private final long workerId;
    private long lastMillis;
    private long sequence;

    NaiveSnowflake(int workerId) {
        this.workerId = workerId;
    }

    long nextId() {
        long millis = System.currentTimeMillis();
        sequence = millis > lastMillis ? 0 : sequence + 1;
        lastMillis = Math.max(lastMillis, millis);
        return (lastMillis - SnowflakeLayout.IDGEN.epoch().toEpochMilli()) << 22 | workerId << 12 | sequence;
    }
}
