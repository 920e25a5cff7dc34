package io.idgen.cli.common;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Map;
import java.util.Optional;

/** Layouts in a word. */
public final class Layouts {
    private Layouts() {}

    /**
     * The preset that a layout is.
     *
     * @param layout any
     * @return its name, empty if it is none
     */
    public static Optional<String> preset(SnowflakeLayout layout) {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> preset.getValue().equals(layout))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * The preset's name, else widths and epoch.
     *
     * @param layout any
     * @return for example {@code twitter}, or {@code 41-5-5-12 from 2016-01-01T00:00:00Z}
     */
    public static String name(SnowflakeLayout layout) {
        return preset(layout).orElseGet(layout::toString);
    }

    /**
     * The layout without its epoch.
     *
     * @param layout any
     * @return what {@link SnowflakeLayout#parse} reads
     */
    public static String widths(SnowflakeLayout layout) {
        String text = layout.toString();
        return text.substring(0, text.indexOf(' '));
    }
}
