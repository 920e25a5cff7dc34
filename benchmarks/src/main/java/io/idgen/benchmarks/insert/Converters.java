package io.idgen.benchmarks.insert;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** How options are written. */
final class Converters {

    private Converters() {}

    /** {@code 100ms} or {@code 1s}. */
    static final class ShortTime implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return text.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                    : Duration.parse("PT" + text);
        }
    }

    /** {@code postgresql}. */
    static final class Kind implements ITypeConverter<Server> {
        @Override
        public Server convert(String text) {
            return Server.valueOf(text.toUpperCase(Locale.ROOT));
        }
    }
}
