package io.idgen.cli.compare.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when the strategies that request each id from Redis take part. */
class RedisContenderTest {
    private static final Map<String, String> REDIS = Map.of(
            "idgen.redis.uri",
            "redis://localhost:6379",
            "idgen.redis.shards",
            "redis://localhost:6379 redis://localhost:6380");

    @Test
    void theyTakePartIfTheSettingsNameARedis() {
        assertThat(RedisContender.present(RedisContender.names(), REDIS))
                .extracting(Contender::name)
                .containsExactly("redis-counter", "redis-millisecond", "redis-pipeline", "redis-shards");
        assertThat(RedisContender.missing(RedisContender.names(), REDIS)).isEmpty();
    }

    @Test
    void withoutARedisTheyAreLeftOutAndTheWayToAddThemIsNamed() {
        assertThat(RedisContender.present(RedisContender.names(), Map.of())).isEmpty();
        assertThat(RedisContender.missing(RedisContender.names(), Map.of()))
                .hasSize(2)
                .anySatisfy(way -> assertThat(way)
                        .contains(
                                "redis-counter, redis-millisecond, redis-pipeline: no Redis given",
                                "--set idgen.redis.uri=redis://"))
                .anySatisfy(way ->
                        assertThat(way).contains("redis-shards: no Redis given", "--set 'idgen.redis.shards=redis://"));
    }

    @Test
    void aSchemeTakesPartIfItsOwnAddressIsGiven() {
        Map<String, String> one = Map.of("idgen.redis.uri", "redis://localhost:6379");

        assertThat(RedisContender.present(RedisContender.names(), one))
                .extracting(Contender::name)
                .containsExactly("redis-counter", "redis-millisecond", "redis-pipeline");
        assertThat(RedisContender.missing(RedisContender.names(), one))
                .singleElement()
                .asString()
                .startsWith("redis-shards: no Redis given");
    }

    @Test
    void aSampleShowsTheCounterOrTheRedis() {
        Map<String, String> texts = new HashMap<>();
        RedisContender.present(RedisContender.names(), REDIS)
                .forEach(contender -> texts.put(
                        contender.name(),
                        contender.sample(new long[] {35}, SnowflakeLayout.IDGEN).text()));

        assertThat(texts)
                .containsEntry("redis-pipeline", "number 2 of counter 3")
                .containsEntry("redis-shards", "number 3 of Redis 5");
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
