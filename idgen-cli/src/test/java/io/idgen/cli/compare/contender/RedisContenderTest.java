package io.idgen.cli.compare.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when the strategies that request each id from Redis take part. */
class RedisContenderTest {
    private static final Map<String, String> REDIS = Map.of("idgen.redis.uri", "redis://localhost:6379");

    @Test
    void theyTakePartIfTheSettingsNameARedis() {
        assertThat(RedisContender.present(RedisContender.names(), REDIS))
                .extracting(Contender::name)
                .containsExactly("redis-counter", "redis-millisecond");
        assertThat(RedisContender.missing(RedisContender.names(), REDIS)).isEmpty();
    }

    @Test
    void withoutARedisTheyAreLeftOutAndTheWayToAddThemIsNamed() {
        assertThat(RedisContender.present(RedisContender.names(), Map.of())).isEmpty();
        assertThat(RedisContender.missing(RedisContender.names(), Map.of()))
                .singleElement()
                .asString()
                .contains("redis-counter, redis-millisecond: no Redis given", "--set idgen.redis.uri=redis://");
    }

    @Test
    void withoutTheModuleTheWayToAddItIsNamed() {
        assertThat(RedisContender.present(Set.of("segment"), REDIS)).isEmpty();
        assertThat(RedisContender.missing(Set.of("segment"), REDIS))
                .singleElement()
                .asString()
                .contains("idgen.jar does not contain idgen-redis", "lib/*", "--set idgen.redis.uri=redis://");
    }

    @Test
    void theirSqlAndOutagesOfTheDatabaseAreNotReported() {
        assertThat(RedisContender.present(RedisContender.names(), REDIS)).noneMatch(Contender::usesDatabase);
        assertThat(Contenders.all(Map.of())).allMatch(Contender::usesDatabase);
    }
}
