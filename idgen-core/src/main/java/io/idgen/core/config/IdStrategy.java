package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import io.idgen.core.internal.time.Defaults;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A way to generate ids, which {@code idgen.strategy} selects. idgen-core provides {@code snowflake}; idgen-jdbc
 * provides {@code segment}, {@code sequence-table}, {@code stepped} and {@code native-sequence}. Others are found by
 * {@link java.util.ServiceLoader}, or passed to {@link IdSources.Builder#strategy}.
 *
 * <p>Services are loaded if a setting, a resource or a name is not one of {@code snowflake}. Of two strategies
 * with one name, idgen's own and those passed in come before services.
 *
 * <p>One object serves all sources of an {@link IdSources} and keeps no state of them. Objects that several sources
 * share belong into {@link SourceContext#shared}.
 */
public interface IdStrategy {

    /**
     * {@code idgen.acquire-timeout}: how long a call may wait for an id. For all strategies whose calls can wait.
     */
    Setting<Duration> ACQUIRE_TIMEOUT = Setting.<Duration>of(
                    "acquire-timeout",
                    "How long a call may wait for an id. If not set, the first id may take 30s, while drivers and pools are loaded or a worker id is leased.",
                    Setting.duration(Duration.ofMillis(1), Duration.ofDays(1)))
            .withDefault(Defaults.ACQUIRE_TIMEOUT);

    /**
     * {@code idgen.sources.<name>.limit}: all ids of a source are below it. A strategy that reads it refuses a limit
     * that its ids can reach.
     */
    Setting<Long> LIMIT = Setting.<Long>ofSource(
                    "limit",
                    "All ids are below this limit, such as 9007199254740992 for JavaScript. If not set, what the attribute's type holds.",
                    Setting.wholeNumber(2, Long.MAX_VALUE))
            .withDefault(Long.toString(Long.MAX_VALUE));

    /**
     * Returns the name that {@code idgen.strategy} selects it by.
     *
     * @return lower case, for example {@code segment}
     */
    String name();

    /**
     * Returns the settings that it reads. idgen refuses all others as unknown.
     *
     * @return none if not overridden
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * Returns the types of the objects that it looks up by {@link SourceContext#resource}. idgen refuses all others as
     * unknown.
     *
     * @return none if not overridden
     */
    default List<Class<?>> resources() {
        return List.of();
    }

    /**
     * Checks a source's settings and plans the source. Called at start, and again when more is known of the source.
     * Does no I/O and changes nothing. It must not need anything that only a running application has: the plan's
     * {@linkplain SourcePlan#check() check} and {@linkplain SourcePlan#opener() opener} are for that.
     *
     * <pre>{@code
     * public SourcePlan plan(SourceContext context) {
     *     return new SourcePlan(Long.MAX_VALUE, () -> new MySource(context.name()));
     * }
     * }</pre>
     *
     * @param context the source and its settings
     * @return the plan
     * @throws ConfigurationException if a setting is invalid or missing
     */
    SourcePlan plan(SourceContext context);

    /**
     * Returns a strategy that uses a source of the application, for example a bean. Its largest id is not known, so an
     * attribute of a type narrower than {@code long} is refused.
     *
     * @param name the name that {@code idgen.strategy} selects it by
     * @param source returns the source, always the same one; called with the first id. idgen does not close it
     * @return a strategy
     */
    static IdStrategy of(String name, Supplier<? extends IdSource> source) {
        return new GivenSource(name, source);
    }
}
