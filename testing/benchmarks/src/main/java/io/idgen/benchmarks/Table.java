package io.idgen.benchmarks;

import io.idgen.cli.measure.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Markdown table. The first column contains the titles of the rows, the others contain numbers. */
public final class Table {
    private final List<String> lines = new ArrayList<>();

    /**
     * Creates a table without rows.
     *
     * @param title the title of the first column
     * @param columns the titles of the other columns
     */
    public Table(String title, Stream<String> columns) {
        List<String> names = columns.toList();
        lines.add(""); // Markdown needs an empty line before a table
        row(title, names.stream());
        lines.add("|---|" + "--:|".repeat(names.size()));
    }

    /**
     * Adds a row.
     *
     * @param title the title of the row
     * @param cells one cell for each column
     */
    public void row(String title, Stream<String> cells) {
        lines.add(cells.collect(Collectors.joining(" | ", "| " + title + " | ", " |")));
    }

    /**
     * Describes the figures of a table.
     *
     * @param rounds the number of rounds
     * @param what what a round is, for example {@code JVMs}
     * @return for example {@code The median of 6 JVMs, and its 95 % interval.}
     */
    public static String medianOf(int rounds, String what) {
        return "The median of " + rounds + " " + what
                + (rounds < Estimate.ENOUGH ? ", and the least and the greatest." : ", and its 95 % interval.");
    }

    /**
     * Returns the whole table.
     *
     * @return the lines, beginning with an empty one
     */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
