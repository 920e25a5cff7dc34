package io.idgen.proof;

import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.util.Set;

/** A primary of Redis that writes each command to disk, and a replica that can take over without the last commands. */
final class RedisPair implements Store {
    private RedisServer primary;
    private RedisServer replica;

    RedisPair() throws Exception {
        primary = server();
        replica = server();
        follow();
        try (RedisScripts scripts = RedisScripts.connectingTo(url(0))) {
            RedisWorkerIds leases = new RedisWorkerIds(scripts);
            leases.mark(Terms.NAMESPACE, Terms.WINDOW);
            leases.mark(Terms.CONTROL, Terms.WINDOW);
        }
    }

    private static RedisServer server() throws IOException {
        return RedisServer.start("--appendonly", "yes");
    }

    private void follow() throws IOException {
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
    }

    @Override
    public String version() throws IOException {
        return primary.command("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .findFirst()
                .orElseThrow()
                .replace("redis_version:", "Redis ");
    }

    @Override
    public String url(int process) {
        return "redis://127.0.0.1:" + primary.port() + "/0?timeout=" + Terms.TIMEOUT.toMillis() + "ms";
    }

    @Override
    public boolean hasCounters() {
        return false;
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.DATABASE_KILLED, Fault.READ_ONLY, Fault.TAKEOVER, Fault.ALL_KILLED);
    }

    @Override
    public Cure strike(Fault fault, double extent) throws Exception {
        return switch (fault) {
            case DATABASE_KILLED -> {
                primary.kill();
                yield primary::restart;
            }
            case ALL_KILLED -> {
                primary.kill();
                replica.kill();
                yield () -> {
                    primary.restart();
                    replica.restart();
                    follow();
                };
            }
            case READ_ONLY -> {
                primary.command("CONFIG", "SET", "min-replicas-to-write", "9");
                yield () -> primary.command("CONFIG", "SET", "min-replicas-to-write", "0");
            }
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    @Override
    public void cut() throws Exception {
        replica.awaitInStepWith(primary);
        replica.pause();
        primary.command("CLIENT", "KILL", "TYPE", "replica");
    }

    @Override
    public void takeOver() throws Exception {
        primary.close();
        replica.resume();
        replica.command("REPLICAOF", "NO", "ONE");
        primary = replica;
        replica = server();
        follow();
    }

    @Override
    public void close() {
        primary.close();
        replica.close();
    }
}
