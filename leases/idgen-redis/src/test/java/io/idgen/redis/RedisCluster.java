package io.idgen.redis;

import io.idgen.jdbc.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of three primaries that share the slots. The primary with the slot of a given key has a replica. */
public final class RedisCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;
    private static final int PRIMARIES = 3;

    private final List<RedisServer> primaries = new ArrayList<>();
    private final RedisServer primary;
    private final RedisServer replica;

    private RedisCluster(String key) throws Exception {
        int share = SLOTS / PRIMARIES + 1;
        for (int i = 0; i < PRIMARIES; i++) {
            RedisServer node = node();
            primaries.add(node);
            List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(i * share, Math.min(SLOTS, (i + 1) * share))
                    .mapToObj(Integer::toString)
                    .forEach(command::add);
            expectOk(node, command.toArray(String[]::new));
            expectOk(node, "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        replica = node();
        int slot = Integer.parseInt(replica.command("CLUSTER", "KEYSLOT", key).substring(1));
        primary = primaries.get(slot / share);
        for (RedisServer node : all().toList()) {
            expectOk(node, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(primary.port()));
        }
        for (RedisServer node : all().toList()) {
            Await.until("a complete cluster", () -> {
                String info = node.command("CLUSTER", "INFO");
                return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + (PRIMARIES + 1));
            });
        }
        expectOk(replica, "CLUSTER", "REPLICATE", primary.command("CLUSTER", "MYID"));
        replica.awaitLink();
    }

    public static RedisCluster start(String key) throws Exception {
        return new RedisCluster(key);
    }

    private static RedisServer node() throws Exception {
        return RedisServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", "5000");
    }

    private static void expectOk(RedisServer node, String... command) throws Exception {
        String answer = node.command(command);
        if (!answer.equals("+OK")) {
            throw new AssertionError(answer);
        }
    }

    private Stream<RedisServer> all() {
        return Stream.concat(primaries.stream(), Stream.of(replica));
    }

    /** Returns the URI of the two primaries that do not have the key. */
    public String uri() {
        return primaries.stream()
                .filter(node -> !node.equals(primary))
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis://", "/"));
    }

    /** Makes clients reach the primary that has the key by another port. */
    void announcePrimaryAs(int port) throws Exception {
        expectOk(primary, "CONFIG", "SET", "cluster-announce-bus-port", Integer.toString(primary.port() + 10_000));
        expectOk(primary, "CONFIG", "SET", "cluster-announce-port", Integer.toString(port));
        for (RedisServer node : all().toList()) {
            Await.until(
                    "a cluster that knows the port",
                    () -> node.command("CLUSTER", "NODES").contains("127.0.0.1:" + port + "@"));
        }
    }

    public RedisServer primary() {
        return primary;
    }

    public RedisServer replica() {
        return replica;
    }

    @Override
    public void close() {
        all().forEach(RedisServer::close);
    }
}
