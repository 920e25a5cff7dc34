package io.idgen.cli.serve;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.TextForms;
import io.idgen.core.inspect.Difference;
import io.idgen.core.inspect.Duplicates;
import io.idgen.core.inspect.IdInspector;
import io.idgen.core.inspect.InspectedId;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.text.IdCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What the page asks, answered by idgen-core. Ids, epochs and counters travel as strings: JavaScript damages large numbers. */
final class Inspector {

    /** The most ids of a question: {@value}. */
    static final int MOST_IDS = 1000;

    private static final int LONGEST_SECONDS = 5;

    private final InstantSource clock;
    private final IdInspector inspector;

    Inspector(InstantSource clock) {
        this.clock = clock;
        this.inspector = new IdInspector(clock);
    }

    /** Which layout: a preset or widths, and an epoch if it is another one. */
    record LayoutQuestion(@Nullable String layout, @Nullable String epoch) {}

    /** Ids to take apart, in a text form; decimal or 0x if none is said. */
    record InspectQuestion(
            @Nullable String layout,
            @Nullable String epoch,
            @Nullable List<@Nullable String> ids,
            @Nullable String form) {}

    /** Ids to make: now, or the first ones of a moment. */
    record GenerateQuestion(
            @Nullable String layout,
            @Nullable String epoch,
            int datacenter,
            int worker,
            @Nullable String moment,
            int count) {}

    /** A layout in figures. */
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

    /** A field of an id, its lowest bit counted from 0. */
    record Field(String name, int shift, int width, String value) {}

    /** An id taken apart; or only the text as it came, and what is wrong with it. */
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
            List<Field> fields) {

        static IdAnswer of(String text, InspectedId inspected) {
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
                            .toList());
        }

        static IdAnswer refused(String text, String error) {
            return new IdAnswer(text, error, null, null, 0, 0, 0, false, null, null, null, List.of());
        }
    }

    /**
     * What several ids say together, for the page to put into its reader's words.
     *
     * @param kind duplicates, difference or distinct
     * @param cause of duplicates
     * @param repeated the ids that are there more than once, with how often
     * @param fields in which two ids differ
     * @param gapMillis how much later the second of two was made
     * @param first of two, where that is known
     * @param sameInJavaScript whether JavaScript's numbers hold both as one
     * @param text all of it in English
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

    /** All ids, in the order of the question, and the verdict if there are several. */
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
                throw new IllegalArgumentException("an id is a string, got null");
            }
            try {
                InspectedId inspected = inspector.inspect(TextForms.parse(text.strip(), form), layout);
                read.add(inspected);
                answers.add(IdAnswer.of(text, inspected));
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
        long[] ids =
                moment.isEmpty() ? now(layout, question) : at(SnowflakeLayout.parseEpoch(moment), layout, question);
        List<InspectedId> made =
                LongStream.of(ids).mapToObj(id -> inspector.inspect(id, layout)).toList();
        List<IdAnswer> answers =
                made.stream().map(id -> IdAnswer.of(Long.toString(id.id()), id)).toList();
        return new Answer(LayoutAnswer.of(layout), answers, verdict(made, layout));
    }

    /** By a generator, so that two clicks in one tick do not give equal ids. */
    private long[] now(SnowflakeLayout layout, GenerateQuestion question) {
        if (question.count > layout.idsPerSecond() * LONGEST_SECONDS) {
            throw new IllegalArgumentException("one worker of layout " + layout + " makes " + layout.idsPerSecond()
                    + " ids in a second, and " + question.count + " would take too long; ask for fewer");
        }
        try (Snowflake snowflake = Snowflake.builder()
                .layout(layout)
                .namespace("inspector of " + layout) // layouts may be tried with one worker id at the same time
                .datacenterId(question.datacenter)
                .workerId(question.worker)
                .clock(clock)
                .build()) {
            return snowflake.nextIds(question.count);
        }
    }

    /** The first ids of a moment's tick. */
    private static long[] at(Instant moment, SnowflakeLayout layout, GenerateQuestion question) {
        if (question.count > layout.idsPerTick()) {
            throw new IllegalArgumentException("a tick of layout " + layout + " has " + layout.idsPerTick()
                    + " ids of one worker, got " + question.count + "; ask for fewer, or leave the time out");
        }
        long[] ids = new long[question.count];
        Arrays.setAll(
                ids,
                sequence -> layout.compose(new SnowflakeParts(moment, question.datacenter, question.worker, sequence)));
        return ids;
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
        SnowflakeLayout widths =
                layout == null || layout.isBlank() ? SnowflakeLayout.TWITTER : SnowflakeLayout.parse(layout);
        return epoch == null || epoch.isBlank() ? widths : widths.withEpoch(SnowflakeLayout.parseEpoch(epoch));
    }

    private static void checkCount(int count) {
        if (count < 1 || count > MOST_IDS) {
            throw new IllegalArgumentException("a question is about 1 to " + MOST_IDS + " ids, got " + count);
        }
    }
}
