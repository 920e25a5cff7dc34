package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.text.Characters;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an {@link IdStrategy} sees of the source it opens: its name, its settings, and what the application handed in.
 */
public final class SourceContext {
    private final String name;
    private final Settings settings;
    private final SourceRegistry owner;

    SourceContext(String name, Settings settings, SourceRegistry owner) {
        this.name = name;
        this.settings = settings;
        this.owner = owner;
    }

    /**
     * The source's name.
     *
     * @return as the application wrote it
     */
    public String name() {
        return name;
    }

    /**
     * A setting's value for this source: its own, else the one for all, else the default.
     *
     * @param setting the setting
     * @param <T> its type
     * @return the value
     * @throws ConfigurationException if it is not given and has no default, or does not parse
     */
    public <T> T get(Setting<T> setting) {
        return find(setting)
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.INVALID_SETTING,
                        setting.keyFor(name) + (setting.isForAll() ? " or " + setting.keyForAll() : "")
                                + " must be set: " + setting.meaning()));
    }

    /**
     * A setting's value for this source, if it is given or has a default.
     *
     * @param setting the setting
     * @param <T> its type
     * @return the value
     * @throws ConfigurationException if it does not parse
     */
    public <T> Optional<T> find(Setting<T> setting) {
        Optional<T> given =
                settings.find(setting, name).map(value -> Settings.parse(setting, setting.toString(), value));
        return given.isPresent() ? given : setting.defaultText().map(setting::parse);
    }

    /**
     * Whether a setting is given, and not left to its default.
     *
     * @param setting the setting
     * @return true if it is given for this source or for all
     */
    public boolean isGiven(Setting<?> setting) {
        return settings.find(setting, name).isPresent();
    }

    /**
     * A refusal of a setting's value that names where it came from.
     *
     * @param setting the setting
     * @param message value, rule and way out
     * @return an exception to throw
     */
    public ConfigurationException refusal(Setting<?> setting, String message) {
        return new ConfigurationException(ErrorCode.INVALID_SETTING, withOrigin(setting, message));
    }

    /** A message about a setting that ends in where its value came from. */
    String withOrigin(Setting<?> setting, String message) {
        String origin = settings.find(setting, name).map(Settings.Value::origin).orElse("the default");
        return Characters.line(setting + ": " + message + " (from " + origin + ")");
    }

    /**
     * Starts the description of a source of segments, as {@link SegmentIdSource#builder} does: with this source's name
     * and the application's listener. Its messages advise settings, not methods of the builder.
     *
     * @param allocator where segments come from
     * @return a builder
     */
    public SegmentIdSource.Builder segments(SegmentAllocator allocator) {
        return SegmentIdSource.builder(allocator, name)
                .listener(resource(IdgenListener.class).orElse(IdgenListener.NONE))
                .fromSettings();
    }

    /**
     * Something the application handed in, by its type.
     *
     * @param type for example {@code javax.sql.DataSource.class}
     * @param <T> the type
     * @return what was handed in, if anything was
     */
    public <T> Optional<T> resource(Class<T> type) {
        return owner.resource(type);
    }

    /**
     * Something that several sources use together: made by the first that asks, and closed after all sources are.
     *
     * @param key equal for those who share
     * @param maker makes it; called once per key, while other sources may be kept waiting
     * @param <T> its type
     * @return the shared object
     */
    public <T extends AutoCloseable> T shared(Object key, Supplier<T> maker) {
        return owner.shared(key, maker);
    }

    /**
     * The wall clock to use.
     *
     * @return the one handed in, or the system's
     */
    public InstantSource clock() {
        return owner.clock();
    }
}
