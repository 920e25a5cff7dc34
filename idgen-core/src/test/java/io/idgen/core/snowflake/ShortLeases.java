package io.idgen.core.snowflake;

import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.Collection;

/**
 * Generators with shorter leases than those of the protocol, so that tests need not wait for half a minute. No setting
 * reaches this.
 */
public final class ShortLeases {
    private ShortLeases() {}

    /** Sets the times of a generator's leases. */
    public static Snowflake.Builder times(Snowflake.Builder builder, Duration lease, Duration window) {
        return builder.lease(lease, window);
    }

    /**
     * Creates the builder of a generator, for example of a child process.
     *
     * @param values values of the form {@code key=value}, with the keys below; {@code lease} and {@code window} are
     *     needed
     */
    public static Snowflake.Builder builder(Collection<String> values) {
        Snowflake.Builder builder = Snowflake.builder();
        for (String each : values) {
            String key = each.substring(0, each.indexOf('='));
            String value = each.substring(key.length() + 1);
            switch (key) {
                case "lease" -> builder.lease = Durations.parse(value);
                case "window" -> builder.window = Durations.parse(value);
                case "worker" -> builder.workerId(Integer.parseInt(value));
                case "datacenter" -> builder.datacenterId(Integer.parseInt(value));
                case "layout" -> builder.layout(SnowflakeLayout.parse(value));
                case "timeout" -> builder.acquireTimeout(Durations.parse(value), Durations.parse(value));
                default -> throw new IllegalArgumentException(each);
            }
        }
        return builder;
    }

    /** Returns whether these are values of {@link #builder}. */
    public static boolean are(Collection<String> values) {
        return values.stream().anyMatch(each -> each.startsWith("lease="));
    }
}
