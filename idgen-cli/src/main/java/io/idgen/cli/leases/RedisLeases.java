package io.idgen.cli.leases;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.RepairReport;
import io.idgen.redis.RedisDoctor;
import io.idgen.redis.RedisRepair;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The worker ids of one namespace in Redis. */
final class RedisLeases implements Leases {
    private final RedisScripts scripts;
    private final String keyPrefix;
    private final String namespace;

    /** Opens no connection. */
    RedisLeases(String uri, String keyPrefix, String namespace) {
        this.keyPrefix = RedisWorkerIds.checkKeyPrefix(keyPrefix);
        this.namespace = namespace;
        this.scripts = RedisScripts.connectingTo(uri);
    }

    @Override
    public List<Finding> examine(InstantSource clock) {
        return new RedisDoctor(scripts, clock).withKeyPrefix(keyPrefix).examine(namespace);
    }

    private RedisRepair repair(boolean dryRun) {
        RedisRepair repair = new RedisRepair(scripts).withKeyPrefix(keyPrefix);
        return dryRun ? repair.dryRun() : repair;
    }

    @Override
    public RepairReport afterRestore(Duration longestWindow, boolean dryRun) {
        return repair(dryRun).afterRestore(namespace, longestWindow);
    }

    @Override
    public RepairReport lowerHorizons(SnowflakeLayout layout, long largestId, boolean dryRun) {
        return repair(dryRun).lowerHorizons(namespace, layout, largestId);
    }

    @Override
    public RepairReport unreserve(int[] workerIds, boolean dryRun) {
        return repair(dryRun).unreserve(namespace, workerIds);
    }

    @Override
    public void close() {
        scripts.close();
    }

    @Override
    public String toString() {
        return "Redis at " + scripts;
    }
}
