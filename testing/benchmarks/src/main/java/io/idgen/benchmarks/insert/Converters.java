package io.idgen.benchmarks.insert;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Converters for options. */
final class Converters {

    private Converters() {}

    /** Parses a duration such as {@code 100ms} or {@code 1s}. */
    static final class ShortTime implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return text.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                    : Duration.parse("PT" + text);
        }
    }

    /** Parses a name such as {@code postgresql}. */
    static final class Kind implements ITypeConverter<Server> {
        @Override
        public Server convert(String text) {
            return Server.valueOf(text.toUpperCase(Locale.ROOT));
        }
    }
}
