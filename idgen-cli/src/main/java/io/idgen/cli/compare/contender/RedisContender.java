package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.Sample;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A strategy of idgen-redis that requests each id from Redis. It sends no SQL, so neither its round trips nor an outage
 * of the database are measured.
 *
 * @param strategy opens the strategy
 */
record RedisContender(IdgenContender strategy) implements Contender {
    static final String URI = "idgen.redis.uri";

    private static final Map<String, String> MEANINGS = Map.of(
            "redis-counter", "the time of Redis and one counter, in one script",
            "redis-millisecond", "the time of the process and a counter for each millisecond");

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
        return settings.containsKey(URI)
                ? names().stream()
                        .filter(strategies::contains)
                        .sorted()
                        .map(RedisContender::of)
                        .toList()
                : List.of();
    }

    /** Returns how to add the contenders if they are missing; empty if they are not. */
    static List<String> missing(Set<String> strategies, Map<String, String> settings) {
        List<String> sorted = names().stream().sorted().toList();
        return !strategies.containsAll(names())
                ? List.of(Contenders.howToAdd(sorted, "idgen-redis") + " --set " + URI + "=redis://localhost:6379")
                : settings.containsKey(URI)
                        ? List.of()
                        : List.of(String.join(", ", sorted) + ": no Redis given; add --set " + URI
                                + "=redis://localhost:6379 with a Redis for tests, in which a few counters remain");
    }

    private static Contender of(String name) {
        return new RedisContender(new IdgenContender(
                name,
                KeyFamily.PEER,
                "asks Redis for each id: " + MEANINGS.get(name),
                false,
                opening -> opening.role().source(),
                opening -> Map.of(
                        "idgen.strategy",
                        name,
                        "idgen.redis.key-prefix",
                        opening.route().tablePrefix() + "redis")));
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public KeyFamily family() {
        return strategy.family();
    }

    @Override
    public String what() {
        return strategy.what();
    }

    @Override
    public boolean usesDatabase() {
        return false;
    }

    @Override
    public Sample sample(long[] key, SnowflakeLayout layout) {
        return Samples.snowflake(key[0], SnowflakeLayout.parse("41-0-0-22"));
    }

    @Override
    public Keys open(Opening opening) {
        return strategy.open(opening);
    }
}
