package io.idgen.proof;

import io.idgen.redis.RedisCluster;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.redis.RedisWorkerIds;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A primary of Redis and its replica, which Sentinel or the cluster promotes when the primary does not answer. Clients
 * learn the address of the primary from Redis, so they do not pass the proxies, and their network has no faults.
 */
final class RedisFailover implements Store {
    private static final String TIMEOUT = "timeout=" + Terms.TIMEOUT.toMillis() + "ms";

    private final AutoCloseable others;
    private final String url;
    private final @Nullable RedisServer sentinel;
    private RedisServer primary;
    private RedisServer replica;

    RedisFailover(Kind kind) throws Exception {
        if (kind == Kind.REDIS_CLUSTER) {
            RedisCluster cluster = RedisCluster.start("{" + Terms.NAMESPACE + "}");
            primary = cluster.primary();
            replica = cluster.replica();
            others = cluster;
            sentinel = null;
            url = cluster.uri() + "?" + TIMEOUT;
        } else {
            primary = RedisServer.start();
            replica = RedisServer.replicaOf(primary);
            RedisServer watching = RedisServer.sentinelOf(primary);
            watching.awaitReplica(replica);
            others = () -> {
                watching.close();
                primary.close();
                replica.close();
            };
            sentinel = watching;
            url = "redis-sentinel://127.0.0.1:" + watching.port() + "/?sentinelMasterId=primary&" + TIMEOUT;
        }
        try (RedisScripts scripts = RedisScripts.connectingTo(url)) {
            RedisWorkerIds leases = new RedisWorkerIds(scripts);
            leases.mark(Terms.NAMESPACE, Terms.WINDOW);
            leases.mark(Terms.CONTROL, Terms.WINDOW);
        }
    }

    @Override
    public String version() throws Exception {
        return primary.version() + (sentinel == null ? " Cluster" : " with Sentinel");
    }

    @Override
    public String url(int process) {
        return url;
    }

    @Override
    public boolean has(Fault fault) {
        return faults().contains(fault) || (fault.isOfEachStore() && !fault.isOfNetwork());
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.LEADER_KILLED, Fault.TAKEOVER);
    }

    @Override
    public Cure strike(Fault fault, double extent) throws Exception {
        return switch (fault) {
            case LEADER_KILLED -> {
                RedisServer killed = killPrimary();
                yield () -> rejoin(killed);
            }
            case TAKEOVER -> {
                replica.leave(primary);
                yield () -> rejoin(killPrimary());
            }
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    /** Kills the primary, and returns it when its replica is the primary. */
    private RedisServer killPrimary() throws Exception {
        RedisServer killed = primary;
        killed.kill();
        replica.resume();
        replica.awaitRole("master");
        if (sentinel != null) { // if it dies before, Sentinel does not end this failover, and begins no other one
            sentinel.awaitPrimary(replica);
        }
        primary = replica;
        replica = killed;
        return killed;
    }

    private void rejoin(RedisServer killed) throws Exception {
        killed.restart();
        if (sentinel != null) { // it would need some seconds
            killed.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
        }
        killed.awaitRole("slave");
        killed.awaitLink();
    }

    @Override
    public void close() {
        try {
            others.close();
        } catch (Exception e) {
            throw new IllegalStateException("the servers do not end", e);
        }
    }
}
