package io.idgen.redis.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import io.idgen.redis.internal.key.KeyPrefix;
import java.util.List;

/** The settings of Redis, and the connection that the sources of an application share. */
final class RedisAccess {
    static final Setting<String> URI = Setting.of(
            "redis.uri",
            "The address of Redis, with user, password and timeout as Lettuce writes them: redis://host:6379, rediss:// for TLS,"
                    + " redis-sentinel://host,host#primary, or redis://host,host for nodes of a Redis Cluster.",
            RedisAccess::checked);
    static final Setting<String> KEY_PREFIX = Setting.<String>of(
                    "redis.key-prefix",
                    "The first word of idgen's keys in Redis; the same for all processes.",
                    RedisAccess::prefix)
            .withDefault(RedisWorkerIds.DEFAULT_KEY_PREFIX);
    static final List<Setting<?>> SETTINGS = List.of(URI, KEY_PREFIX);
    static final List<Class<?>> RESOURCES = List.of(RedisScripts.class);

    private RedisAccess() {}

    /** The connection to an address. */
    private record Key(String uri) {}

    static boolean isAvailable(SourceContext context) {
        return context.isGiven(URI) || context.resource(RedisScripts.class).isPresent();
    }

    /** Throws if neither a setting nor a resource names a Redis. */
    static void check(SourceContext context) {
        if (!isAvailable(context)) {
            context.get(URI); // throws, with a message that describes the setting
        }
    }

    /** Returns the application's scripts, or those for the address in the settings. Opens no connection. */
    static RedisScripts scripts(SourceContext context) {
        return context.resource(RedisScripts.class).orElseGet(() -> scripts(context, context.get(URI)));
    }

    /** Returns the scripts for an address, which all sources share. Opens no connection. */
    static RedisScripts scripts(SourceContext context, String uri) {
        return context.shared(new Key(uri), () -> RedisScripts.connectingTo(uri));
    }

    /** Returns an address; throws if it is invalid. */
    static String checked(String uri) {
        RedisScripts.connectingTo(uri).close(); // opens no connection, and throws if the address is invalid
        return uri;
    }

    private static String prefix(String text) {
        return KeyPrefix.check(text.strip());
    }
}
