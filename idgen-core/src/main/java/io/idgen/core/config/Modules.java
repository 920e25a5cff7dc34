package io.idgen.core.config;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which module to add when a setting needs one that is not on the class path. Only messages use these names. */
final class Modules {
    private static final List<String> NAMES = List.of("jdbc", "redis", "zookeeper");

    private Modules() {}

    /** Returns the advice for a name that a module adds, or null if none does. */
    static @Nullable String adviceFor(String name) {
        return NAMES.contains(name)
                ? name + " comes with the module idgen-" + name
                        + ", which is not on the class path; add the dependency io.idgen:idgen-" + name
                : null;
    }

    /** Returns the end of a message about an unknown key: the advice if the key belongs to a missing module. */
    static String adviceForKey(String key, Collection<Setting<?>> known) {
        return NAMES.stream()
                .filter(name -> key.contains("." + name + "."))
                .filter(name ->
                        known.stream().noneMatch(setting -> setting.key().startsWith(name + ".")))
                .findFirst()
                .map(name -> "; " + adviceFor(name))
                .orElse("");
    }
}
