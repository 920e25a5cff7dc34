package io.idgen.proof;

import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisServer;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A primary of Redis that writes each command to disk, and a replica that can take over without the last commands. */
final class RedisPair implements Store {
    private RedisServer primary;
    private RedisServer replica;
    private final Map<String, String> backup = new HashMap<>(); // by namespace

    RedisPair() throws Exception {
        primary = server();
        replica = server();
        follow();
        mark(Terms.NAMESPACE);
        mark(Terms.CONTROL);
    }

    private static RedisServer server() throws IOException {
        return RedisServer.start("--appendonly", "yes");
    }

    private void follow() throws IOException {
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
    }

    @Override
    public String version() throws IOException {
        return primary.version();
    }

    @Override
    public String url(int process) {
        return "redis://127.0.0.1:" + primary.port() + "/0?timeout=" + Terms.TIMEOUT.toMillis() + "ms";
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(
                Fault.DATABASE_KILLED,
                Fault.READ_ONLY,
                Fault.TAKEOVER,
                Fault.ALL_KILLED,
                Fault.SERVERS_CLOCK_STEPPED,
                Fault.RESTORED);
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
            case TAKEOVER -> {
                replica.leave(primary);
                yield this::takeOver;
            }
            case RESTORED -> this::restore;
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    private void takeOver() throws Exception {
        primary.close();
        replica.resume();
        replica.command("REPLICAOF", "NO", "ONE");
        primary = replica;
        replica = server();
        follow();
    }

    @Override
    public void backUp() throws IOException {
        for (String namespace : List.of(Terms.NAMESPACE, Terms.CONTROL)) {
            backup.put(namespace, primary.command("DUMP", key(namespace)));
        }
    }

    /** Puts the backup back, and writes a new marker, but not for the control. */
    private void restore() throws IOException {
        for (Map.Entry<String, String> each : backup.entrySet()) {
            primary.command("RESTORE", key(each.getKey()), "0", each.getValue(), "REPLACE");
        }
        mark(Terms.NAMESPACE);
    }

    private static String key(String namespace) {
        return "idgen:{" + namespace + "}:workers";
    }

    private void mark(String namespace) {
        try (RedisScripts scripts = RedisScripts.connectingTo(url(0))) {
            new RedisWorkerIds(scripts).mark(namespace);
        }
    }

    @Override
    public void close() {
        primary.close();
        replica.close();
    }
}
