package io.idgen.core.inspect;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An id taken apart as one layout reads it, in numbers and in text.
 *
 * @param id the id
 * @param layout what it was read under
 * @param parts what it says under that layout
 * @param plausible whether its time is one that ids can have by now: no later than a day after the inspection
 */
public record InspectedId(long id, SnowflakeLayout layout, SnowflakeParts parts, boolean plausible) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    /** Refuses parts that are not the id's. */
    public InspectedId {
        if (!layout.parse(id).equals(parts)) {
            throw new IllegalArgumentException(
                    "under layout " + layout + " id " + id + " says " + layout.parse(id) + ", not " + parts);
        }
    }

    /**
     * The layout's name.
     *
     * @return the name of the preset that the layout is, empty if it is none
     */
    public Optional<String> preset() {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> preset.getValue().equals(layout))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Where the layout keeps what, for those who draw it.
     *
     * @return all 64 bits from the top: the sign, what a layout of 53 bits leaves unused, and the fields that have a width
     */
    public List<BitField> fields() {
        return Fields.of(layout).fromTheTop();
    }

    /**
     * The id in 16 hexadecimal digits.
     *
     * @return upper case, without a prefix
     */
    public String hex() {
        return HexFormat.of().withUpperCase().toHexDigits(id);
    }

    /**
     * The id in 64 binary digits.
     *
     * @return the sign bit first
     */
    public String binary() {
        return String.format("%64s", Long.toBinaryString(id)).replace(' ', '0');
    }

    /**
     * The parts in one line, with the time in UTC.
     *
     * @return for example {@code 2017-09-15 09:35:04.848, #0, @(2,5), UTC}
     */
    public String text() {
        return text(ZoneOffset.UTC);
    }

    /**
     * The parts in one line: time, sequence, datacenter and worker, and the zone that the time is told in. The zone's offset
     * stands with it, since an hour of each autumn has two of them.
     *
     * @param zone where the reader's clock hangs
     * @return for example {@code 2017-09-15 17:35:04.848, #0, @(2,5), Asia/Shanghai (UTC+08:00)}; without a datacenter
     *     {@code @(5)}
     */
    public String text(ZoneId zone) {
        return time(parts.time(), zone) + ", #" + parts.sequence() + ", @" + worker() + ", " + zone(zone);
    }

    /**
     * The id on several lines, with the time in UTC.
     *
     * @return as {@link #drawing(ZoneId)} has it
     */
    public String drawing() {
        return drawing(ZoneOffset.UTC);
    }

    /**
     * The id on several lines: layout, {@link #text(ZoneId)}, decimal, hexadecimal, binary, and beneath the binary digits
     * which of them are sign, time, datacenter, worker and sequence, each with its width and value.
     *
     * @param zone where the reader's clock hangs
     * @return ASCII, at most some 140 characters wide, to be shown in a fixed-width font; without a line end at the end
     */
    public String drawing(ZoneId zone) {
        String head = preset().map(name -> name + ", ").orElse("") + layout;
        return String.join(
                "\n",
                "layout   " + head,
                "parts    " + text(zone),
                "         " + (plausible ? "plausible" : "not plausible: no id can have this time yet"),
                "decimal  " + id,
                "hex      " + hex(),
                "binary   " + binary(),
                BitDrawing.of(this).indent(9).stripTrailing());
    }

    /** Datacenter and worker, {@code (2,5)}, or the worker alone in a layout without datacenters, {@code (5)}. */
    String worker() {
        return layout.datacenterBits() == 0
                ? "(" + parts.worker() + ")"
                : "(" + parts.datacenter() + "," + parts.worker() + ")";
    }

    private static String time(Instant time, ZoneId zone) {
        return TIME.format(ZonedDateTime.ofInstant(time, zone));
    }

    private String zone(ZoneId zone) {
        ZoneOffset offset = zone.getRules().getOffset(parts.time());
        String fromUtc = "UTC" + (offset.equals(ZoneOffset.UTC) ? "" : offset.getId());
        return zone.normalized() instanceof ZoneOffset ? fromUtc : zone.getId() + " (" + fromUtc + ")";
    }

    /** The id, the layout and {@link #text()}. */
    @Override
    public String toString() {
        return id + " under " + preset().orElseGet(layout::toString) + ": " + text();
    }
}
