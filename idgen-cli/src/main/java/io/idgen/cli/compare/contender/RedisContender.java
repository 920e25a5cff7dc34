package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Sample;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A strategy of idgen-redis that requests ids from Redis. It sends no SQL, so neither its round trips nor an outage
 * of the database are measured.
 */
record RedisContender(String name, String what) implements Contender {
    static final String URI = "idgen.redis.uri";
    static final String SHARDS = "idgen.redis.shards";

    private static final String SHARDED = "redis-shards";

    private static final Map<String, String> MEANINGS = Map.of(
            "redis-counter",
            "asks Redis for each id: the time of Redis and one counter, in one script",
            "redis-millisecond",
            "asks Redis for each id: the time of the process and a counter for each millisecond",
            "redis-pipeline",
            "128 increments of 16 counters of Redis in one round trip",
            SHARDED,
            "asks one of several Redis for each id: a counter, and the digit of the Redis");

    /** Returns the names of the strategies. */
    static Set<String> names() {
        return MEANINGS.keySet();
    }

    /**
     * Returns the contenders, if their strategies are on the class path and the settings name a Redis.
     *
     * @param strategies the names of all strategies on the class path
     */
    static List<Contender> present(Set<String> strategies, Map<String, String> settings) {
        return names().stream()
                .filter(name -> strategies.contains(name) && settings.containsKey(address(name)))
                .sorted()
                .<Contender>map(name -> new RedisContender(name, String.valueOf(MEANINGS.get(name))))
                .toList();
    }

    /** Returns the setting that names the Redis of a strategy. */
    private static String address(String name) {
        return name.equals(SHARDED) ? SHARDS : URI;
    }

    /** Returns how to add the contenders if they are missing; empty if they are not. */
    static List<String> missing(Set<String> strategies, Map<String, String> settings) {
        List<String> sorted = names().stream().sorted().toList();
        if (!strategies.containsAll(names())) {
            return List.of(Contenders.howToAdd(sorted, "idgen-redis") + " --set " + URI + "=redis://localhost:6379");
        }
        List<String> missing = new ArrayList<>();
        if (!settings.containsKey(URI)) {
            List<String> ofOne =
                    sorted.stream().filter(name -> !name.equals(SHARDED)).toList();
            missing.add(String.join(", ", ofOne) + ": no Redis given; add --set " + URI
                    + "=redis://localhost:6379 with a Redis for tests, in which a few counters remain");
        }
        if (!settings.containsKey(SHARDS)) {
            missing.add(SHARDED + ": no Redis given; add --set '" + SHARDS
                    + "=redis://localhost:6379 redis://localhost:6380' with several Redis for tests");
        }
        return missing;
    }

    @Override
    public KeyFamily family() {
        return KeyFamily.PEER;
    }

    @Override
    public boolean usesDatabase() {
        return false;
    }

    @Override
    public Sample sample(long[] key, SnowflakeLayout layout) {
        return switch (name) {
            case "redis-pipeline" -> Samples.number(key[0], "number " + key[0] / 16 + " of counter " + key[0] % 16);
            case SHARDED -> Samples.number(key[0], "number " + key[0] / 10 + " of Redis " + key[0] % 10);
            default -> Samples.snowflake(key[0], SnowflakeLayout.parse("41-0-0-22"));
        };
    }

    @Override
    public Keys open(Opening opening) {
        String prefix = opening.pool().tablePrefix() + "redis";
        return new IdgenContender(
                        name, family(), what, any -> Map.of("idgen.strategy", name, "idgen.redis.key-prefix", prefix))
                .open(opening);
    }
}
