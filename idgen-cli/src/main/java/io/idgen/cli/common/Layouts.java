package io.idgen.cli.common;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of layouts. */
public final class Layouts {
    private Layouts() {}

    /**
     * Returns the name of a layout: the preset's name, or widths and epoch.
     *
     * @param layout any layout
     * @return for example {@code twitter}, or {@code 41-5-5-12 from 2016-01-01T00:00:00Z}
     */
    public static String name(SnowflakeLayout layout) {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> preset.getValue().equals(layout))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(layout::toString);
    }

    /**
     * Returns a layout with an epoch.
     *
     * @param widths a preset or widths; null for the default layout of idgen
     * @param epoch an instant or milliseconds since 1970; null for the layout's own
     * @return the layout
     * @throws IllegalArgumentException if one of them is invalid
     */
    public static SnowflakeLayout of(@Nullable String widths, @Nullable String epoch) {
        SnowflakeLayout layout = widths == null ? SnowflakeLayout.IDGEN : SnowflakeLayout.parse(widths);
        return epoch == null ? layout : layout.withEpoch(SnowflakeLayout.parseEpoch(epoch));
    }
}
