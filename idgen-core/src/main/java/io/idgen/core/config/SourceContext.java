package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A source as an {@link IdStrategy} sees it: its name, its settings, and the objects that the application passed in.
 */
public final class SourceContext {
    private static final String DEFAULT = "the default";
    private static final Setting<String> KEYS = Setting.ofSource(
            "id-columns", "Columns with ids of the source, each the primary key of its table.", Setting.TEXT);
    private static final Setting<Long> TYPE_LIMIT = Setting.ofSource(
            "type-limit",
            "All ids are below what the types of attributes hold.",
            Setting.wholeNumber(2, Long.MAX_VALUE));

    final Map<String, String> known;
    final IdStrategy strategy;
    final SourcePlan plan;

    /** The source; null until it is open. */
    volatile @Nullable IdSource source;

    private final String name;
    private final IdSources owner;

    /**
     * Chooses the strategy and plans the source.
     *
     * @param known what a framework knows of the source, by the keys of settings without any prefix; settings take
     *     precedence
     */
    SourceContext(String name, Map<String, String> known, IdSources owner) {
        this.name = name;
        this.known = Map.copyOf(known);
        this.owner = owner;
        this.strategy = owner.strategies.chosen(this);
        this.plan = strategy.plan(this);
    }

    /**
     * Returns the name of the source.
     *
     * @return as the application wrote it
     */
    public String name() {
        return name;
    }

    /**
     * Returns the value of a setting for this source: its own value, else the one for all sources, else the default.
     *
     * @param setting the setting
     * @param <T> its type
     * @return the value
     * @throws ConfigurationException if the setting is not set and has no default, or its value is invalid
     */
    public <T> T get(Setting<T> setting) {
        Optional<T> value = find(setting);
        if (value.isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    setting.keyFor(name) + (setting.isForAll() ? " or " + setting : "") + " must be set: "
                            + setting.meaning());
        }
        return value.get();
    }

    /**
     * Returns the value of a setting for this source, if it is set or has a default.
     *
     * @param setting the setting
     * @param <T> its type
     * @return the value
     * @throws ConfigurationException if the value is invalid
     */
    public <T> Optional<T> find(Setting<T> setting) {
        Settings.Value given = given(setting);
        if (given == null && setting.defaultText().isPresent()) {
            given = new Settings.Value(setting.defaultText().get(), DEFAULT);
        }
        return given == null ? Optional.empty() : Optional.of(Settings.parse(setting, setting.toString(), given));
    }

    private Settings.@Nullable Value given(Setting<?> setting) {
        Settings.Value value = owner.settings.find(setting, name);
        String text = value == null ? known.get(setting.key()) : null;
        return text == null ? value : new Settings.Value(text, "what is known of '" + name + "'");
    }

    /** Returns whether this source has its own value of a setting, whatever a framework knows. */
    boolean isSetAlone(Setting<?> setting) {
        return !setting.isForAll() && owner.settings.find(setting, name) != null;
    }

    /**
     * Returns whether a setting is set, and not left to its default.
     *
     * @param setting the setting
     * @return true if it is set for this source or for all
     */
    public boolean isGiven(Setting<?> setting) {
        return given(setting) != null;
    }

    /**
     * Creates an exception about the value of a setting. Its message names the origin of the value.
     *
     * @param setting the setting
     * @param message the value, the rule, and what to do
     * @return an exception to throw
     */
    public ConfigurationException refusal(Setting<?> setting, String message) {
        return new ConfigurationException(ErrorCode.INVALID_SETTING, withOrigin(setting, message));
    }

    /** A message about a setting, with the origin of its value at the end. */
    String withOrigin(Setting<?> setting, String message) {
        Settings.Value given = given(setting);
        return Characters.line(setting + ": " + message + " (from " + (given == null ? DEFAULT : given.origin()) + ")");
    }

    /**
     * Returns the primary keys that a framework fills with ids of this source. No setting of users names them.
     *
     * @return each as {@code table.column}; empty without a framework
     */
    public List<String> keys() {
        String columns = find(KEYS).orElse("");
        return columns.isEmpty() ? List.of() : List.of(columns.split(",", -1));
    }

    /**
     * Returns what all ids of a source have to be below: the setting {@link IdStrategy#LIMIT}, else what the type of an
     * attribute holds, as a framework knows it.
     *
     * @return {@link Long#MAX_VALUE} if there is no limit
     */
    public long limit() {
        return isGiven(IdStrategy.LIMIT)
                ? get(IdStrategy.LIMIT)
                : find(TYPE_LIMIT).orElse(Long.MAX_VALUE);
    }

    /**
     * Returns all sources that are known now.
     *
     * @return an unmodifiable view, which includes sources that become known later
     */
    public Collection<SourceContext> all() {
        return owner.contexts();
    }

    /**
     * Returns the strategy of the source.
     *
     * @return the one that the settings choose
     */
    public IdStrategy strategy() {
        return strategy;
    }

    /**
     * Creates a builder of a source of segments, with this source's name and the application's listener.
     *
     * @param allocator reserves segments
     * @return a builder
     */
    public SegmentIdSource.Builder segments(SegmentAllocator allocator) {
        return SegmentIdSource.builder(allocator, name)
                .listener(resource(IdgenListener.class).orElse(IdgenListener.NONE));
    }

    /**
     * Returns an object that the application passed in, by its type.
     *
     * @param type for example {@code javax.sql.DataSource.class}
     * @param <T> the type
     * @return the object, if there is one
     */
    public <T> Optional<T> resource(Class<T> type) {
        return Optional.ofNullable(type.cast(owner.resources.get(type)));
    }

    /**
     * Returns an object that several sources share. The first call creates it; it is closed after all sources.
     *
     * @param key equal for the sources that share it
     * @param maker creates it; called once per key, while other sources may wait
     * @param <T> its type
     * @return the shared object
     */
    public <T extends AutoCloseable> T shared(Object key, Supplier<T> maker) {
        return owner.shared(key, maker);
    }

    /**
     * Returns the wall clock to use.
     *
     * @return the one that the application passed in, or the system's
     */
    public InstantSource clock() {
        return owner.clock;
    }
}
