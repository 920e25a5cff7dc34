package io.idgen.cli.compare.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Product;
import io.idgen.jdbc.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.embedded.RedisServer;

/** Tests the four schemes on a Redis, and what the comparison says about libraries that are missing. */
@Tag("matrix")
class ContendersTest {
    private static final int IDS = 300;
    private static RedisServer[] servers;
    private static List<String> redis;

    @BeforeAll
    static void start() throws IOException {
        int[] ports = {FreePort.find(), FreePort.find()};
        servers = new RedisServer[] {new RedisServer(ports[0]), new RedisServer(ports[1])};
        for (RedisServer server : servers) {
            server.start();
        }
        redis = Arrays.stream(ports)
                .mapToObj(port -> "redis://127.0.0.1:" + port)
                .toList();
    }

    @AfterAll
    static void stop() throws IOException {
        for (RedisServer server : servers) {
            server.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-counter", "redis-millisecond", "redis-pipeline", "redis-shards"})
    void twoProcessesGetDistinctIdsFromRedisUntilTheNetworkIsCut(String scheme) {
        Contender contender =
                new Contenders(Product.H2, true).named(List.of(scheme)).get(0);
        try (Bench bench = new Bench(null);
                CountingPool pool = new CountingPool(bench.connections(), 1, Duration.ZERO, Duration.ofSeconds(5))) {
            Opening opening = new Opening(pool, Opening.Phase.SPEED, 0, 2, redis);
            try (Keys one = contender.opener().apply(opening);
                    Keys other = contender.opener().apply(opening)) {
                Set<Long> ids = new HashSet<>();
                long[] id = new long[1];
                for (int i = 0; i < IDS; i++) {
                    for (Keys keys : List.of(one, other)) {
                        keys.next(id, 0);
                        assertThat(id[0]).isPositive();
                        assertThat(ids.add(id[0])).as("%s again", id[0]).isTrue();
                    }
                }
                pool.cut();
                assertThatThrownBy(() -> {
                            for (int i = 0; i < IDS; i++) {
                                one.next(id, 0);
                            }
                        })
                        .hasMessageContaining("the comparison has cut the connection to Redis");
            }
        }
    }

    @Test
    void whatIdgensJarDoesNotContainIsNamedWithTheWayToAddIt() throws Exception {
        URL[] jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.matches(".*(hibernate|hypersistence|persistence|cosid).*"))
                .map(ContendersTest::url)
                .toArray(URL[]::new);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader withoutPeers = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(withoutPeers);
            Class<?> product = Class.forName(Product.class.getName(), true, withoutPeers);
            Object contenders = Class.forName(Contenders.class.getName(), true, withoutPeers)
                    .getConstructor(product, boolean.class)
                    .newInstance(product.getField("MYSQL").get(null), true);

            assertThat(contenders
                            .getClass()
                            .getMethod("missing")
                            .invoke(contenders)
                            .toString())
                    .contains("native-sequence, hibernate-sequence: MYSQL has no sequences")
                    .contains("hibernate-sequence, hibernate-table, inserts by Hibernate: put the library")
                    .contains("hypersistence-tsid: put", "cosid-segment: put", "java -cp 'idgen.jar:lib/*'")
                    .doesNotContain("redis");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
