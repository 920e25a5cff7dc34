package io.idgen.redis.internal.key;

import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Names;

/** The rule for the first word of idgen's keys, for settings and for callers. */
public final class KeyPrefix {
    private KeyPrefix() {}

    /**
     * Checks a prefix of keys.
     *
     * @param prefix the prefix to check
     * @return the same prefix
     * @throws IllegalArgumentException if it is blank, has a brace or a control character, or more than 255 characters
     */
    public static String check(String prefix) {
        if (prefix.isBlank() || prefix.contains("{") || prefix.contains("}")) {
            throw new IllegalArgumentException(
                    "a key prefix is not blank and has no braces, which select the slot of a Redis Cluster, got '"
                            + Characters.line(prefix) + "'");
        }
        return Names.check("a key prefix", prefix, 255);
    }
}
