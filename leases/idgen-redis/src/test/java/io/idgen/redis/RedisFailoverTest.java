package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.testing.Await;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica that lacks the last writes takes over, by Sentinel or in a Redis Cluster. */
class RedisFailoverTest {
    private static final int FEW = 2;

    private interface Action {
        void run() throws Exception;
    }

    /** Cuts off the replica, runs the action, kills the primary, and waits until the replica is the primary. */
    private static void takeOverWithout(Action action, RedisServer primary, RedisServer replica) throws Exception {
        cutOff(replica, primary);
        action.run();
        primary.kill();
        replica.resume();
        replica.awaitRole("master");
    }

    private static void cutOff(RedisServer replica, RedisServer primary) throws Exception {
        replica.pause();
        primary.command("CLIENT", "KILL", "TYPE", "replica");
    }

    private static String sentinelUri(RedisServer sentinel, RedisServer replica) throws Exception {
        sentinel.awaitReplica(replica);
        return "redis-sentinel://127.0.0.1:" + sentinel.port() + "?timeout=5s&sentinelMasterId=primary";
    }

    /**
     * Processes lease worker ids before the replica is cut off, while it is cut off, and after the takeover. The
     * published script assigns numbers at the same points.
     */
    private static void assertNothingTwice(String uri, RedisServer primary, RedisServer replica) throws Exception {
        try (Processes processes = new Processes()) {
            Published published = new Published(Processes.LAYOUT);
            RedisScenariosTest.prepare(uri);
            try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
                published.startOn("10.0.0.1", scripts);
                processes.start(uri, FEW);
                replica.awaitInStepWith(primary);
                takeOverWithout(
                        () -> {
                            published.startOn("10.0.0.2", scripts);
                            processes.start(uri, FEW);
                        },
                        primary,
                        replica);
            }
            assertRepeats(published, uri);
            processes.start(uri, FEW).awaitMore();
            processes.assertNoDuplicates();
        }
    }

    /** Asserts that the published script repeats a number on the new primary. */
    private static void assertRepeats(Published published, String uri) throws Exception {
        try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
            Await.until("a primary that clients find", () -> isWritable(scripts));
            assertThat(published.startOn("10.0.0.9", scripts).duplicates()).isPositive();
        }
    }

    private static boolean isWritable(RedisScripts scripts) {
        try {
            scripts.run("redis.call('SET', KEYS[1], 1) return {'1'}", "{default}:probe", List.of());
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    @Tag("nightly")
    void sentinelPromotesAReplicaThatLostItsTail() throws Exception {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.replicaOf(primary);
                RedisServer sentinel = RedisServer.sentinelOf(primary)) {
            assertNothingTwice(sentinelUri(sentinel, replica), primary, replica);
        }
    }

    @Test
    @Tag("nightly")
    void thePrimaryIsStoppedAndContinues() throws Exception {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.replicaOf(primary);
                RedisServer sentinel = RedisServer.sentinelOf(primary);
                Processes processes = new Processes()) {
            String uri = sentinelUri(sentinel, replica);
            RedisScenariosTest.prepare(uri);
            Published published = new Published(Processes.LAYOUT);
            try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
                replica.awaitInStepWith(primary);
                processes.start(uri, FEW);
                cutOff(replica, primary);
                published.startOn("10.0.0.1", scripts);
                processes.start(uri, FEW);
                primary.pause();
                replica.resume();
                replica.awaitRole("master");
            }
            assertRepeats(published, uri);
            processes.start(uri, FEW);
            primary.resume();
            primary.awaitRole("slave");
            processes.awaitMore();
            processes.assertNoDuplicates();
        }
    }

    @Test
    @Tag("nightly")
    void aReplicaOfAClusterTakesOver() throws Exception {
        try (RedisCluster cluster = RedisCluster.start("{default}")) {
            assertNothingTwice(cluster.uri(), cluster.primary(), cluster.replica());
        }
    }
}
