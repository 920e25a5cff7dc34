package io.idgen.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The chart of the performance page. Draws rows of the table {@code throughput} as bars, with the interval of each
 * figure as a line, in colours for light and dark pages.
 */
@Command(
        name = "chart",
        mixinStandardHelpOptions = true,
        description = "Draws the chart of the performance page from the tables of a page.")
public final class Chart implements Callable<Integer> {
    /** The rows that are drawn, from the top to the bottom; those that the table does not have are left out. */
    private static final List<String> ROWS = List.of(
            "idgen segments, order=thread",
            "idgen segments",
            "CosId SegmentChainId",
            "idgen snowflake 41-0-4-18, leased",
            "idgen snowflake 41-0-4-18, leased, exact tick",
            "tsid-creator");

    /** The columns that are drawn. */
    private static final List<String> COLUMNS = List.of("1 thread", "8 threads");

    private static final Pattern FIGURE = Pattern.compile("([\\d.]+) \\(([\\d.]+) to ([\\d.]+)\\)");
    private static final int LEFT = 300;
    private static final int BARS = 400;
    private static final int TOP = 56;
    private static final int ROW = 40;
    private static final int BAR = 14;

    @Option(names = "--page", required = true, paramLabel = "FILE", description = "the page with the tables")
    private Path page = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "the SVG file")
    private Path out = Path.of("");

    private record Figure(double median, double low, double high) {}

    private record Row(String title, List<Figure> figures) {}

    /** Called by picocli. */
    public Chart() {}

    @Override
    public Integer call() throws IOException {
        Files.writeString(out, svg(Files.readString(page)));
        return 0;
    }

    /** Returns the chart of a page with the table {@code throughput}. */
    static String svg(String page) {
        List<String> table = Page.table(page, "throughput").lines().toList();
        List<Row> rows = rows(table);
        String measured = table.stream()
                .filter(line -> line.startsWith("Measured on "))
                .map(line -> line.replaceAll(", other processes.*", ""))
                .findFirst()
                .orElse("");
        double most = rows.stream()
                .flatMap(row -> row.figures.stream())
                .mapToDouble(Figure::high)
                .max()
                .orElseThrow(() -> new IllegalArgumentException("no row of the chart is in the table throughput"));
        StringBuilder svg =
                new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 %1$d" role="img" font-family="sans-serif" font-size="13">
                <title>Millions of ids per second, one per call</title>
                <style>
                text { fill: #1f2328 } .note { fill: #59636e; font-size: 11px } .b0 { fill: #8b949e } .b1 { fill: #57606a }
                .o0 { fill: #6cb6ff } .o1 { fill: #0969da } line { stroke: #1f2328 }
                @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 } .note { fill: #9198a1 } .b0 { fill: #57606a } .b1 { fill: #8b949e }
                .o0 { fill: #1158a7 } .o1 { fill: #539bf5 } line { stroke: #e6edf3 } }
                </style>
                <text x="0" y="16" font-weight="bold">Millions of ids per second, one per call</text>
                <text x="0" y="34" class="note">upper bar: %2$s, lower bar: %3$s; blue: idgen; the line is the 95 %% interval</text>
                """.formatted(TOP + ROW * rows.size() + 24, COLUMNS.get(0), COLUMNS.get(1)));
        for (int i = 0; i < rows.size(); i++) {
            draw(svg, rows.get(i), TOP + i * ROW, BARS / most);
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"0\" y=\"%d\" class=\"note\">%s</text>%n</svg>%n",
                TOP + ROW * rows.size() + 14,
                measured));
        return svg.toString();
    }

    private static void draw(StringBuilder svg, Row row, int y, double scale) {
        svg.append(String.format(Locale.ROOT, "<text x=\"0\" y=\"%d\">%s</text>%n", y + BAR + 4, row.title));
        String colour = row.title.startsWith("idgen") ? "o" : "b";
        for (int i = 0; i < row.figures.size(); i++) {
            Figure figure = row.figures.get(i);
            int top = y + i * (BAR + 1);
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"%s%d\"/>"
                            + "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                            + "<text x=\"%.1f\" y=\"%d\" font-size=\"12\">%.1f</text>%n",
                    LEFT,
                    top,
                    figure.median * scale,
                    BAR,
                    colour,
                    i,
                    LEFT + figure.low * scale,
                    LEFT + figure.high * scale,
                    top + BAR / 2,
                    top + BAR / 2,
                    LEFT + figure.high * scale + 6,
                    top + BAR - 2,
                    figure.median));
        }
    }

    private static List<Row> rows(List<String> table) {
        List<Row> found = new ArrayList<>();
        List<String> header = List.of();
        for (String line : table) {
            List<String> cells =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            if (cells.containsAll(COLUMNS)) {
                header = cells;
            } else if (cells.size() > 1 && ROWS.contains(cells.get(1))) {
                List<Figure> figures = new ArrayList<>();
                for (String column : COLUMNS) {
                    figures.add(figure(cells.get(header.indexOf(column))));
                }
                found.add(new Row(cells.get(1), figures));
            }
        }
        found.sort((one, other) -> ROWS.indexOf(one.title) - ROWS.indexOf(other.title));
        return found;
    }

    private static Figure figure(String cell) {
        Matcher parts = FIGURE.matcher(cell);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + cell + "' is not a median with its interval");
        }
        return new Figure(
                Double.parseDouble(parts.group(1)),
                Double.parseDouble(parts.group(2)),
                Double.parseDouble(parts.group(3)));
    }
}
