package io.idgen.core.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Says which module to add when a setting needs one that is not on the class path. Only messages use these names. */
final class Modules {
    private static final List<String> NAMES = List.of("jdbc", "redis", "zookeeper");

    /** The artifacts that have the classes of a package. */
    private static final Map<String, String> ARTIFACTS = new TreeMap<>(Map.of(
            "org.apache.curator.", "org.apache.curator:curator-framework",
            "org.apache.zookeeper.", "org.apache.zookeeper:zookeeper",
            "io.lettuce.", "io.lettuce:lettuce-core",
            "io.netty.", "io.netty, all its artifacts in the version that io.lettuce:lettuce-core needs"));

    private Modules() {}

    /** Returns which artifact to add after a class was not found, or was not the expected one. */
    static String adviceFor(LinkageError e) {
        String message = String.valueOf(e.getMessage()).replace('/', '.');
        return ARTIFACTS.entrySet().stream()
                .filter(each -> message.contains(each.getKey()))
                .findFirst()
                .map(each -> "add the dependency " + each.getValue())
                .orElse("add the library that has this class, in the version that the module of the store needs");
    }

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
