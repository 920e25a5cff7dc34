package io.idgen.cli.compare;

import io.idgen.cli.compare.result.Comparison;
import io.idgen.cli.compare.result.Comparison.Answer;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Outcome;
import io.idgen.cli.compare.result.Texts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a comparison as text, in ASCII: the answers, the conditions, and a table. */
final class Table {
    private static final Map<String, Function<Kind, String>> COLUMNS = new LinkedHashMap<>();

    static {
        COLUMNS.put("strategy", Kind::name);
        COLUMNS.put("ids/s", kind -> of(kind.speed(), Texts::speed));
        COLUMNS.put("p50", kind -> of(kind.latency(), latency -> Texts.micros(latency.p50())));
        COLUMNS.put("p99", kind -> of(kind.latency(), latency -> Texts.micros(latency.p99())));
        COLUMNS.put("p99.9", kind -> of(kind.latency(), latency -> Texts.micros(latency.p999())));
        COLUMNS.put("max", kind -> of(kind.latency(), latency -> Texts.micros(latency.max())));
        COLUMNS.put("SQL/1,000 ids", Table::trips);
        COLUMNS.put("JDBC rows/s", kind -> of(kind.rows(), rows -> Texts.speed(rows.jdbc())));
        COLUMNS.put("Hibernate rows/s", kind -> of(kind.rows(), rows -> of(rows.hibernate(), Texts::speed)));
        COLUMNS.put("ids in outage", kind -> of(kind.outage(), Table::outage));
        COLUMNS.put("lost by crash", Table::lost);
        COLUMNS.put("key", kind -> kind.keyBytes() + " B");
        COLUMNS.put("index", kind -> of(kind.rows(), rows -> Texts.bytes(rows.indexBytes())));
        COLUMNS.put("duplicates", kind -> Texts.whole(kind.duplicates().count()));
    }

    private Table() {}

    /** Returns all of it. */
    static String text(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Answer answer : comparison.answers()) {
            lines.add(answer.need() + ": " + answer.kind());
            lines.add("    " + answer.why());
            answer.settings().forEach(setting -> lines.add("    " + setting));
            comparison.kinds().stream()
                    .filter(kind -> kind.name().equals(answer.kind()) && kind.speed() != null && seen.add(kind.name()))
                    .forEach(kind -> lines.add("    measured: " + measured(kind)));
        }
        lines.add("");
        comparison.conditions().forEach((name, value) -> lines.add(name + ": " + value));
        lines.add("");
        lines.addAll(table(comparison.kinds()));
        lines.add("");
        comparison.kinds().stream()
                .filter(kind -> kind.problem() != null)
                .forEach(kind -> lines.add(kind.name() + " failed: " + kind.problem()));
        comparison.notes().forEach(note -> lines.add("not compared: " + note));
        return String.join("\n", lines).strip();
    }

    private static String measured(Kind kind) {
        return of(kind.speed(), speed -> Texts.rate(speed.median())) + " ids/s, " + trips(kind)
                + " round trips for 1,000 ids, " + of(kind.outage(), Table::outage) + " ids in an outage";
    }

    private static List<String> table(List<Kind> kinds) {
        List<List<String>> columns = new ArrayList<>();
        COLUMNS.forEach((header, value) -> {
            List<String> column = new ArrayList<>(List.of(header));
            kinds.forEach(kind -> column.add(value.apply(kind)));
            int width = column.stream().mapToInt(String::length).max().orElse(0);
            String format = header.equals("strategy") ? "%-" + width + "s" : "%" + width + "s";
            column.replaceAll(cell -> String.format(Locale.ROOT, format, cell));
            columns.add(column);
        });
        List<String> lines = new ArrayList<>();
        for (int row = 0; row <= kinds.size(); row++) {
            int line = row;
            lines.add(columns.stream().map(column -> column.get(line)).collect(Collectors.joining("  ")));
        }
        lines.add(1, "-".repeat(lines.get(0).length()));
        return lines;
    }

    private static <T> String of(@Nullable T measured, Function<T, String> text) {
        return measured == null ? "-" : text.apply(measured);
    }

    private static String trips(Kind kind) {
        return of(kind.latency(), latency -> Texts.rate(latency.roundTripsPerThousand()));
    }

    private static String outage(Outcome.Outage outage) {
        return outage.isSurvived() ? "all" : Math.round(100 * outage.share()) + " %";
    }

    private static String lost(Kind kind) {
        return of(
                kind.crash(),
                crash -> crash.lost() != null
                        ? Texts.whole(crash.lost())
                        : kind.family() == Family.REDIS ? "-" : "none");
    }
}
