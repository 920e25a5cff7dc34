package io.idgen.shardingsphere;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.HashMap;
import java.util.Map;

/** The sources of a JVM, by their settings. They are closed when the JVM ends, which releases their worker ids. */
final class SharedSources {
    private static final Map<Map<String, String>, SourceBinder> BY_SETTINGS = new HashMap<>();

    private SharedSources() {}

    /** Returns sources with these settings; always the same ones for equal settings. */
    static synchronized SourceBinder with(Map<String, String> settings) {
        return BY_SETTINGS.computeIfAbsent(Map.copyOf(settings), SharedSources::create);
    }

    private static SourceBinder create(Map<String, String> settings) {
        SourceBinder binder = SourceBinder.of(IdSources.builder().settings(settings, "the key generator's properties"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> binder.sources().close(), "idgen-shardingsphere-close"));
        return binder;
    }
}
