package io.idgen.core.layout;

import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout.FieldOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Layouts and epochs as settings write them. */
final class LayoutText {
    static final Map<String, SnowflakeLayout> PRESETS = presetsByName();

    private static final String WIDTHS =
            "(\\d{1,2})-(\\d{1,2})-(\\d{1,2})(?:-(\\d{1,2}))?(?:@([0-9a-z]+))?(,sequence-above-worker)?";

    private LayoutText() {}

    private static Map<String, SnowflakeLayout> presetsByName() {
        Map<String, SnowflakeLayout> presets = new LinkedHashMap<>();
        presets.put("idgen", SnowflakeLayout.IDGEN);
        presets.put("js-safe", SnowflakeLayout.JS_SAFE);
        presets.put("twitter", SnowflakeLayout.TWITTER);
        presets.put("discord", SnowflakeLayout.DISCORD);
        presets.put("instagram", SnowflakeLayout.INSTAGRAM);
        presets.put("sonyflake", SnowflakeLayout.SONYFLAKE);
        presets.put("tsid", SnowflakeLayout.TSID);
        return Collections.unmodifiableMap(presets);
    }

    /** Parses the name of a preset, or widths. */
    static SnowflakeLayout parse(String text) {
        String stripped = text.strip();
        SnowflakeLayout preset = PRESETS.get(stripped);
        if (preset != null) {
            return preset;
        }
        Matcher matcher = Pattern.compile(WIDTHS).matcher(stripped);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a layout is one of " + String.join(", ", PRESETS.keySet())
                    + ", or widths like 41-5-5-12, got '" + Characters.line(text) + "'");
        }
        boolean four = matcher.group(4) != null;
        Duration tick = matcher.group(5) == null ? SnowflakeLayout.IDGEN.tick() : Durations.parse(matcher.group(5));
        return new SnowflakeLayout(
                SnowflakeLayout.IDGEN.epoch(),
                tick,
                Integer.parseInt(matcher.group(1)),
                four ? Integer.parseInt(matcher.group(2)) : 0,
                Integer.parseInt(matcher.group(four ? 3 : 2)),
                Integer.parseInt(matcher.group(four ? 4 : 3)),
                matcher.group(6) == null ? FieldOrder.SEQUENCE_LOWEST : FieldOrder.SEQUENCE_ABOVE_WORKER);
    }

    /** Parses an instant with its zone, or milliseconds since 1970. */
    static Instant parseEpoch(String text) {
        String stripped = text.strip();
        if (stripped.matches("\\d{1,15}")) {
            return Instant.ofEpochMilli(Long.parseLong(stripped));
        }
        try {
            return OffsetDateTime.parse(stripped).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "an epoch is an instant with its zone, for example 2024-01-01T00:00:00Z, or milliseconds since"
                            + " 1970, got '" + Characters.line(text) + "'",
                    e);
        }
    }

    /** Returns the text that {@link #parse} reads, and the epoch. */
    static String of(SnowflakeLayout layout) {
        return layout.timeBits() + "-" + layout.datacenterBits() + "-" + layout.workerBits() + "-"
                + layout.sequenceBits()
                + (layout.tick().toMillis() == 1
                        ? ""
                        : "@" + Durations.text(layout.tick()).replace(" ", ""))
                + (layout.order() == FieldOrder.SEQUENCE_LOWEST ? "" : ",sequence-above-worker")
                + " from " + layout.epoch();
    }
}
