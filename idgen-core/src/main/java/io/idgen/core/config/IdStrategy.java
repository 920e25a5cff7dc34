package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.internal.text.Defaults;
import java.time.Duration;
import java.util.List;

/**
 * A way to make ids that {@code idgen.strategy} can choose. idgen-core brings {@code snowflake}, idgen-jdbc {@code
 * segment}, {@code sequence-table}, {@code stepped} and {@code native-sequence}; others are found by {@link
 * java.util.ServiceLoader}, handed to {@link IdSources.Builder#strategy}, or named by class.
 *
 * <p>One object serves all sources of an {@link IdSources}; it holds no state of theirs. What several of them use
 * together, it keeps in {@link SourceContext#shared}.
 */
public interface IdStrategy {

    /**
     * How long a call may wait for an id: {@code idgen.acquire-timeout}, for all strategies that wait for something.
     */
    Setting<Duration> ACQUIRE_TIMEOUT = Setting.<Duration>of(
                    "acquire-timeout",
                    "How long a call may wait for an id.",
                    Setting.duration(Duration.ofMillis(1), Duration.ofDays(1)))
            .withDefault(Defaults.ACQUIRE_TIMEOUT);

    /**
     * The name that {@code idgen.strategy} chooses it by.
     *
     * @return lower case, for example {@code segment}
     */
    String name();

    /**
     * The settings it reads; all others are refused as unknown.
     *
     * @return none if not overridden
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * Checks a source's settings and plans the source. Called at start, and again when more is known of the source.
     * Does no I/O and changes nothing; the plan's {@linkplain SourcePlan#opener() opener} does that.
     *
     * <pre>{@code
     * public SourcePlan plan(SourceContext context) {
     *     return new SourcePlan(Long.MAX_VALUE, () -> new MySource(context.name()));
     * }
     * }</pre>
     *
     * @param context the source and its settings
     * @return the plan
     * @throws ConfigurationException if the settings cannot be right
     */
    SourcePlan plan(SourceContext context);
}
