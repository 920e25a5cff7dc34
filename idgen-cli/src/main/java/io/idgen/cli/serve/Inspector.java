package io.idgen.cli.serve;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.FirstIds;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.TextForms;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.cli.analysis.Difference;
import io.idgen.cli.analysis.Duplicates;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import io.idgen.text.IdCodec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of the page with idgen-inspect. Ids, epochs and counters are strings in JSON, because JavaScript
 * rounds large integers.
 */
final class Inspector {

    /** The largest number of ids in a request: {@value}. */
    static final int MOST_IDS = 1000;

    private static final int LONGEST_SECONDS = 5;

    private final InstantSource clock;
    private final IdInspector inspector;

    Inspector(InstantSource clock) {
        this.clock = clock;
        this.inspector = new IdInspector(clock);
    }

    /** A layout: a preset or widths, and an epoch if it is not the preset's. */
    record LayoutQuestion(@Nullable String layout, @Nullable String epoch) {}

    /** Ids to decode, in a text form; null means decimal, or hex with the prefix 0x. */
    record InspectQuestion(
            @Nullable String layout,
            @Nullable String epoch,
            @Nullable List<@Nullable String> ids,
            @Nullable String form) {}

    /** Ids to generate: at the current time, or the first ids of a given time. */
    record GenerateQuestion(
            @Nullable String layout,
            @Nullable String epoch,
            int datacenter,
            int worker,
            @Nullable String moment,
            int count) {}

    /** The figures of a layout. */
    record LayoutAnswer(
            @Nullable String preset,
            String widths,
            String epoch,
            String epochMillis,
            String end,
            int datacenterBits,
            int workerBits,
            String workers,
            String idsPerTick,
            long tickMillis) {

        static LayoutAnswer of(SnowflakeLayout layout) {
            return new LayoutAnswer(
                    Layouts.preset(layout).orElse(null),
                    Layouts.widths(layout),
                    layout.epoch().toString(),
                    Long.toString(layout.epoch().toEpochMilli()),
                    layout.end().toString(),
                    layout.datacenterBits(),
                    layout.workerBits(),
                    Long.toString(layout.workers()),
                    Long.toString(layout.idsPerTick()),
                    layout.tick().toMillis());
        }
    }

    /** A field of an id; {@code shift} is its lowest bit, counted from 0. */
    record Field(String name, int shift, int width, String value) {}

    /** The fields of an id under another preset that could have generated it. */
    record Reading(String preset, String instant, int datacenter, int worker, int sequence) {
        static Reading of(InspectedId inspected) {
            SnowflakeParts parts = inspected.parts();
            return new Reading(
                    Layouts.name(inspected.layout()),
                    parts.time().toString(),
                    parts.datacenter(),
                    parts.worker(),
                    parts.sequence());
        }
    }

    /**
     * A decoded id. For an invalid id, only the text and the error.
     *
     * @param others its fields under the other presets that could have generated it
     */
    record IdAnswer(
            String text,
            @Nullable String error,
            @Nullable String id,
            @Nullable String instant,
            int datacenter,
            int worker,
            int sequence,
            boolean plausible,
            @Nullable String hex,
            @Nullable String binary,
            @Nullable String base32,
            List<Field> fields,
            List<Reading> others) {

        static IdAnswer of(String text, InspectedId inspected, List<InspectedId> plausible) {
            SnowflakeParts parts = inspected.parts();
            return new IdAnswer(
                    text,
                    null,
                    Long.toString(inspected.id()),
                    parts.time().toString(),
                    parts.datacenter(),
                    parts.worker(),
                    parts.sequence(),
                    inspected.plausible(),
                    inspected.hex(),
                    inspected.binary(),
                    IdCodec.BASE32.encode(inspected.id()),
                    inspected.fields().stream()
                            .map(field -> new Field(
                                    field.name(),
                                    field.shift(),
                                    field.width(),
                                    Long.toString(field.of(inspected.id()))))
                            .toList(),
                    plausible.stream()
                            .filter(other -> !other.layout().equals(inspected.layout()))
                            .map(Reading::of)
                            .toList());
        }

        static IdAnswer refused(String text, String error) {
            return new IdAnswer(text, error, null, null, 0, 0, 0, false, null, null, null, List.of(), List.of());
        }
    }

    /**
     * The verdict on several ids, in parts that the page translates.
     *
     * @param kind duplicates, difference or distinct
     * @param cause the cause of duplicates
     * @param repeated the ids that occur more than once, with their number
     * @param fields the fields in which two ids differ
     * @param gapMillis how much later the second of two ids was generated
     * @param first the earlier of two ids, if it is known
     * @param sameInJavaScript whether the two ids are equal as numbers of JavaScript
     * @param text the verdict in English
     */
    record VerdictAnswer(
            String kind,
            @Nullable String cause,
            Map<String, Integer> repeated,
            List<String> fields,
            @Nullable String gapMillis,
            @Nullable String first,
            boolean sameInJavaScript,
            String text) {}

    /** All ids in the order of the request, and the verdict if there are several. */
    record Answer(
            LayoutAnswer layout,
            List<IdAnswer> ids,
            @Nullable VerdictAnswer verdict) {}

    static List<LayoutAnswer> presets() {
        return SnowflakeLayout.presets().values().stream().map(LayoutAnswer::of).toList();
    }

    static LayoutAnswer layout(LayoutQuestion question) {
        return LayoutAnswer.of(layoutOf(question.layout, question.epoch));
    }

    Answer inspect(InspectQuestion question) {
        SnowflakeLayout layout = layoutOf(question.layout, question.epoch);
        List<@Nullable String> texts = question.ids == null ? List.of() : question.ids;
        checkCount(texts.size());
        IdCodec form = question.form == null || question.form.isBlank() ? null : TextForms.named(question.form);
        List<InspectedId> read = new ArrayList<>();
        List<IdAnswer> answers = new ArrayList<>();
        for (String text : texts) {
            if (text == null) {
                throw new IllegalArgumentException("an id must be a string, got null");
            }
            try {
                InspectedId inspected = inspector.inspect(TextForms.parse(text.strip(), form, "choose "), layout);
                read.add(inspected);
                answers.add(IdAnswer.of(text, inspected, inspector.inspect(inspected.id())));
            } catch (BadInputException | IllegalArgumentException e) {
                answers.add(IdAnswer.refused(text, String.valueOf(e.getMessage())));
            }
        }
        return new Answer(LayoutAnswer.of(layout), answers, verdict(read, layout));
    }

    Answer generate(GenerateQuestion question) {
        SnowflakeLayout layout = layoutOf(question.layout, question.epoch);
        checkCount(question.count);
        String moment = question.moment == null ? "" : question.moment.strip();
        long[] ids = moment.isEmpty()
                ? now(layout, question)
                : FirstIds.at(
                        layout,
                        SnowflakeLayout.parseEpoch(moment),
                        question.datacenter,
                        question.worker,
                        question.count);
        List<InspectedId> made =
                LongStream.of(ids).mapToObj(id -> inspector.inspect(id, layout)).toList();
        List<IdAnswer> answers = made.stream()
                .map(id -> IdAnswer.of(Long.toString(id.id()), id, List.of()))
                .toList();
        return new Answer(LayoutAnswer.of(layout), answers, verdict(made, layout));
    }

    /** Generates the ids with a generator, so that two requests in one tick do not return equal ids. */
    private long[] now(SnowflakeLayout layout, GenerateQuestion question) {
        if (question.count > layout.idsPerSecond() * LONGEST_SECONDS) {
            throw new IllegalArgumentException("one worker of layout " + layout + " generates " + layout.idsPerSecond()
                    + " ids per second, so " + question.count + " would take too long; request fewer ids");
        }
        try (Snowflake snowflake = Snowflake.builder()
                .layout(layout)
                .namespace("inspector of " + layout) // two layouts may use the same worker id at the same time
                .datacenterId(question.datacenter)
                .workerId(question.worker)
                .clock(clock)
                .build()) {
            return snowflake.nextIds(question.count);
        }
    }

    private @Nullable VerdictAnswer verdict(List<InspectedId> ids, SnowflakeLayout layout) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        ids.forEach(id -> counts.merge(Long.toString(id.id()), 1, Integer::sum));
        Map<String, Integer> repeated = new LinkedHashMap<>(counts);
        repeated.values().removeIf(count -> count == 1);
        if (!repeated.isEmpty()) {
            Duplicates duplicates = inspector.duplicates(
                    repeated.keySet().stream().map(Long::valueOf).toList(), layout);
            return new VerdictAnswer(
                    "duplicates", duplicates.cause().name(), repeated, List.of(), null, null, false, duplicates.text());
        }
        return switch (ids.size()) {
            case 0, 1 -> null;
            case 2 -> difference(new Difference(ids.get(0), ids.get(1)));
            default ->
                new VerdictAnswer(
                        "distinct", null, Map.of(), List.of(), null, null, false, "No two of these ids are equal.");
        };
    }

    private static VerdictAnswer difference(Difference difference) {
        InspectedId one = difference.one();
        InspectedId other = difference.other();
        long gapMillis = difference.gap().toMillis();
        boolean sameMaker = one.parts().datacenter() == other.parts().datacenter()
                && one.parts().worker() == other.parts().worker();
        boolean oneFirst = gapMillis == 0 ? one.id() < other.id() : gapMillis > 0;
        return new VerdictAnswer(
                "difference",
                null,
                Map.of(),
                difference.fields().stream()
                        .map(field -> field.name().toLowerCase(Locale.ROOT))
                        .toList(),
                Long.toString(Math.abs(gapMillis)),
                gapMillis == 0 && !sameMaker ? null : Long.toString((oneFirst ? one : other).id()),
                (double) one.id() == (double) other.id(),
                difference.text());
    }

    private static SnowflakeLayout layoutOf(@Nullable String layout, @Nullable String epoch) {
        return Layouts.of(
                layout == null || layout.isBlank() ? null : layout, epoch == null || epoch.isBlank() ? null : epoch);
    }

    private static void checkCount(int count) {
        if (count < 1 || count > MOST_IDS) {
            throw new IllegalArgumentException("a request must have 1 to " + MOST_IDS + " ids, got " + count);
        }
    }
}
