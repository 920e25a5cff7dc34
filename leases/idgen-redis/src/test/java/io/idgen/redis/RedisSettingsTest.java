package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the settings for Redis. */
class RedisSettingsTest {
    private static final String PASSWORD = "s3cret";

    @AutoClose
    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start();
    }

    private static IdSources.Builder builder(String uri) {
        return IdSources.builder().set("idgen.redis.uri", uri).source("orders");
    }

    private static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    void anAddressIsEnoughToLeaseAWorkerId() throws Exception {
        RedisScenariosTest.prepare(server.uri());
        try (IdSources sources =
                builder(server.uri()).set("idgen.worker.datacenter-id", "0").build()) {
            SnowflakeParts parts =
                    SnowflakeLayout.IDGEN.parse(sources.get("orders").nextId());

            assertThat(server.command("HGET", "idgen:{default}:workers", parts.worker() + ":token"))
                    .hasSizeGreaterThan(10);
        }
    }

    @Test
    void keysBeginAsTheSettingsSay() throws Exception {
        try (RedisScripts scripts = RedisScripts.connectingTo(server.uri())) {
            new RedisWorkerIds(scripts).withKeyPrefix("shop").mark("orders");
        }
        IdSources.Builder builder =
                builder(server.uri()).set("idgen.worker.assigner", "redis").set("idgen.worker.namespace", "orders");
        try (IdSources sources = builder.set("idgen.redis.key-prefix", "shop").build()) {
            assertThat(sources.get("orders").nextId()).isPositive();
        }
        try (IdSources sources =
                builder.set("idgen.redis.key-prefix", "unmarked").build()) {
            assertThat(assertThrows(
                            IdGenerationException.class,
                            () -> sources.get("orders").nextId()))
                    .hasStackTraceContaining(ErrorCode.INCARNATION_MISSING.code())
                    .hasStackTraceContaining("unmarked:{orders}:workers");
        }
        assertThrows(
                ConfigurationException.class,
                () -> builder.set("idgen.redis.key-prefix", "{").build());
    }

    @Test
    void withoutAnAddressTheAssignerIsRefused() {
        IdSources.Builder builder =
                IdSources.builder().set("idgen.worker.assigner", "redis").source("orders");

        assertThat(assertThrows(ConfigurationException.class, builder::build)).hasMessageContaining("idgen.redis.uri");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://:s3cret@localhost",
                "redis://:s3cret @localhost",
                "redis://:s3#cret@localhost:x",
                "localhost s3cret",
                "redis://",
                "redis://:s3cret@",
                ""
            })
    void aWrongAddressIsRefusedWithoutItsPassword(String uri) {
        ConfigurationException e =
                assertThrows(ConfigurationException.class, () -> builder(uri).build());

        assertThat(e).hasMessageContaining("idgen.redis.uri: the address of Redis is redis://host:6379");
        assertThat(trace(e)).doesNotContain("s3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:p@s3@localhost",
                "redis://:p@s3@localhost:7000,localhost:7001",
                "redis://localhost:7000,:p@s3@localhost:7001",
                "redis-sentinel://:p,s3@localhost:26379,localhost:26380#primary",
                "redis-socket:///tmp/redis?password=s3"
            })
    void theTextOfAnAddressHasNoPassword(String uri) {
        try (RedisScripts scripts = RedisScripts.connectingTo(uri)) {
            assertThat(scripts.toString()).isNotEmpty().doesNotContain("s3");
        }
    }

    @Test
    void aUserNeedsAPasswordAndFewPermissionsAndNeitherIsPrinted() throws Exception {
        try (RedisServer guarded = RedisServer.start()) {
            String rights =
                    "on >" + PASSWORD + " ~idgen:* +eval +evalsha +info +time +hget +hmget +hset +hdel +ping +hello";
            guarded.command(("ACL SETUSER idgen " + rights).split(" "));
            guarded.command("ACL", "SETUSER", "default", "off");
            String address = "127.0.0.1:" + guarded.port();
            try (RedisScripts scripts = RedisScripts.connectingTo("redis://idgen:" + PASSWORD + "@" + address)) {
                RedisWorkerIds store = new RedisWorkerIds(scripts);
                assertThat(store.mark("default")).isFalse();
                assertThat(store.toString()).endsWith(address);
                AllocationException e =
                        assertThrows(AllocationException.class, () -> scripts.run("return {'1'}", "others", List.of()));
                assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
                assertThat(e).hasMessageContaining("the user needs the commands");
            }
            try (RedisScripts wrong = RedisScripts.connectingTo("redis://idgen:" + PASSWORD + "x@" + address)) {
                StoreUnreachableException e =
                        assertThrows(StoreUnreachableException.class, () -> new RedisWorkerIds(wrong).mark("default"));
                assertThat(e).hasMessageContaining(address);
                // Redis ends the connection after its answer, and Lettuce sometimes sees the end first
                assertThat(e.getMessage()).containsAnyOf("WRONGPASS", "Connection closed");
                assertThat(trace(e)).doesNotContain(PASSWORD);
            }
        }
    }

    @Test
    void anAddressWhereNobodyListensIsUnreachable() throws Exception {
        try (RedisScripts nobody = RedisScripts.connectingTo("redis://127.0.0.1:" + RedisServer.freePort())) {
            assertThrows(StoreUnreachableException.class, () -> nobody.run("return {}", "key", List.of()));
        }
    }

    @Test
    void theClassPathAndTheModulePathOfferTheSameServices() throws Exception {
        String service = LeaseStoreProvider.class.getName();
        Path classes = Path.of(RedisWorkerIds.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> onTheModulePath =
                ModuleFinder.of(classes).find("io.idgen.redis").orElseThrow().descriptor().provides().stream()
                        .filter(provides -> provides.service().equals(service))
                        .map(ModuleDescriptor.Provides::providers)
                        .flatMap(List::stream)
                        .toList();

        assertThat(Files.readAllLines(classes.resolve("META-INF/services/" + service)))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(onTheModulePath);
    }
}
