package io.idgen.text;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An id decoded under one layout, as numbers and as text.
 *
 * @param id the id
 * @param layout the layout under which the id was decoded
 * @param parts the fields of the id under that layout
 * @param plausible whether an id can have this time by now: it is at most a day after the inspection
 */
public record InspectedId(long id, SnowflakeLayout layout, SnowflakeParts parts, boolean plausible) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * Returns the name of the layout.
     *
     * @return the name of the preset, or empty if the layout is not a preset
     */
    public Optional<String> preset() {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> preset.getValue().equals(layout))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Returns the bit fields of the layout, for drawings.
     *
     * @return all 64 bits from the top: the sign, bits that a layout of 53 bits leaves unused, and the fields that are
     *     not empty
     */
    public List<BitField> fields() {
        return Fields.of(layout).fromTheTop();
    }

    /**
     * Returns the id in hexadecimal.
     *
     * @return 16 digits in upper case, without a prefix
     */
    public String hex() {
        return HexFormat.of().withUpperCase().toHexDigits(id);
    }

    /**
     * Returns the id in binary.
     *
     * @return 64 digits, the sign bit first
     */
    public String binary() {
        return String.format("%64s", Long.toBinaryString(id)).replace(' ', '0');
    }

    /**
     * Returns the fields on one line: the time in UTC, sequence, datacenter and worker.
     *
     * @return for example {@code 2017-09-15 09:35:04.848, #0, @(2,5), UTC}; without a datacenter {@code @(5)}
     */
    public String text() {
        return TIME.format(parts.time()) + ", #" + parts.sequence() + ", @" + worker() + ", UTC";
    }

    /**
     * Returns the id on several lines: layout, {@link #text()}, decimal, hexadecimal and binary. Below the binary
     * digits it draws the fields sign, time, datacenter, worker and sequence, each with its width and value.
     *
     * @return ASCII for a fixed-width font, about 140 characters wide at most, without a line end at the end
     */
    public String drawing() {
        String head = preset().map(name -> name + ", ").orElse("") + layout;
        return String.join(
                "\n",
                "layout   " + head,
                "parts    " + text(),
                "         " + (plausible ? "plausible" : "not plausible: no id can have this time yet"),
                "decimal  " + id,
                "hex      " + hex(),
                "binary   " + binary(),
                BitDrawing.of(this).indent(9).stripTrailing());
    }

    /**
     * Returns datacenter and worker as {@code (2,5)}; in a layout without datacenters the worker alone, {@code (5)}.
     */
    public String worker() {
        return layout.datacenterBits() == 0
                ? "(" + parts.worker() + ")"
                : "(" + parts.datacenter() + "," + parts.worker() + ")";
    }

    /** Returns the id, the layout and {@link #text()}. */
    @Override
    public String toString() {
        return id + " under " + preset().orElseGet(layout::toString) + ": " + text();
    }
}
