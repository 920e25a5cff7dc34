package io.idgen.cli.compare;

import io.idgen.cli.compare.result.Comparison;
import io.idgen.cli.compare.result.Comparison.Answer;
import io.idgen.cli.compare.result.Family;
import io.idgen.cli.compare.result.Kind;
import io.idgen.cli.compare.result.Speed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a comparison as text, in ASCII: the answers, the conditions, and a table. */
final class Table {
    private static final Map<String, Function<Kind, String>> COLUMNS = new LinkedHashMap<>();

    static {
        COLUMNS.put("strategy", Kind::name);
        COLUMNS.put("ids/s", kind -> of(kind.speed(), Table::speed));
        COLUMNS.put("p50", kind -> of(kind.latency(), latency -> micros(latency.p50())));
        COLUMNS.put("p99", kind -> of(kind.latency(), latency -> micros(latency.p99())));
        COLUMNS.put("p99.9", kind -> of(kind.latency(), latency -> micros(latency.p999())));
        COLUMNS.put("max", kind -> of(kind.latency(), latency -> micros(latency.max())));
        COLUMNS.put("SQL/1,000 ids", kind -> of(kind.latency(), latency -> rate(latency.roundTripsPerThousand())));
        COLUMNS.put("JDBC rows/s", kind -> of(kind.rows(), rows -> speed(rows.jdbc())));
        COLUMNS.put("Hibernate rows/s", kind -> of(kind.rows(), rows -> of(rows.hibernate(), Table::speed)));
        COLUMNS.put("ids in outage", kind -> of(kind.outage(), Table::outage));
        COLUMNS.put("lost by crash", Table::lost);
        COLUMNS.put("key", kind -> kind.keyBytes() + " B");
        COLUMNS.put("index", kind -> of(kind.rows(), rows -> bytes(rows.indexBytes())));
        COLUMNS.put("duplicates", kind -> whole(kind.duplicates().count()));
    }

    private Table() {}

    /** Returns all of it. */
    static String text(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        for (Answer answer : comparison.answers()) {
            lines.add(answer.need() + ": " + answer.kind());
            lines.add("    " + answer.why());
            answer.settings().forEach(setting -> lines.add("    " + setting));
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

    private static String outage(Kind.Outage outage) {
        return outage.isSurvived()
                ? "all"
                : Math.round(100.0 * outage.given() / outage.wanted()) + " %"
                        + (outage.recoveredMillis() < 0 ? ", then none" : "");
    }

    private static String lost(Kind kind) {
        return of(
                kind.crash(),
                crash -> crash.lost() != null ? whole(crash.lost()) : kind.family() == Family.REDIS ? "-" : "none");
    }

    /** Formats a whole number with separated thousands. */
    static String whole(double number) {
        return String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    private static String rate(double number) {
        if (number >= 100) {
            double unit = Math.pow(10, Math.floor(Math.log10(number)) - 2);
            return whole(Math.round(number / unit) * unit);
        }
        return String.format(Locale.ROOT, number == 0 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number);
    }

    private static String speed(Speed speed) {
        double half = (speed.high() - speed.low()) / 2 / speed.median();
        return rate(speed.median()) + String.format(Locale.ROOT, " +-%2.0f %%", 100 * half);
    }

    /** Formats a duration in microseconds. */
    static String micros(double micros) {
        return micros < 1e3
                ? rate(micros) + " us"
                : micros < 1e6 ? rate(micros / 1e3) + " ms" : rate(micros / 1e6) + " s";
    }

    private static String bytes(double bytes) {
        return bytes < 1 << 20 ? rate(bytes / (1 << 10)) + " KiB" : rate(bytes / (1 << 20)) + " MiB";
    }
}
