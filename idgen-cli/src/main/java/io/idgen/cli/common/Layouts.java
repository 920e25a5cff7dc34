package io.idgen.cli.common;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Map;
import java.util.Optional;

/** Names of layouts. */
public final class Layouts {
    private Layouts() {}

    /**
     * Returns the name of the preset that equals a layout.
     *
     * @param layout any layout
     * @return the preset's name; empty if no preset equals the layout
     */
    public static Optional<String> preset(SnowflakeLayout layout) {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> preset.getValue().equals(layout))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Returns the name of a layout: the preset's name, or widths and epoch.
     *
     * @param layout any layout
     * @return for example {@code twitter}, or {@code 41-5-5-12 from 2016-01-01T00:00:00Z}
     */
    public static String name(SnowflakeLayout layout) {
        return preset(layout).orElseGet(layout::toString);
    }

    /**
     * Returns the number of bits of a layout's ids.
     *
     * @param layout any layout
     * @return 63, or 53 for JavaScript
     */
    public static int bits(SnowflakeLayout layout) {
        return layout.timeBits() + layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
    }

    /**
     * Returns the widths of a layout, without its epoch.
     *
     * @param layout any layout
     * @return a text for {@link SnowflakeLayout#parse}
     */
    public static String widths(SnowflakeLayout layout) {
        String text = layout.toString();
        return text.substring(0, text.indexOf(' '));
    }
}
