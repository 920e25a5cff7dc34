package io.idgen.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table in Markdown: its first column is words, under the table's title, and the others are numbers. */
public final class Table {
    private final List<String> lines = new ArrayList<>();

    /**
     * A table without rows.
     *
     * @param title what is in it
     * @param columns what its numbers are
     */
    public Table(String title, Stream<String> columns) {
        List<String> names = columns.toList();
        lines.add(""); // text before it would swallow it
        row(title, names.stream());
        lines.add("|---|" + "--:|".repeat(names.size()));
    }

    /**
     * Adds a row.
     *
     * @param title whose numbers they are
     * @param cells one for each column
     */
    public void row(String title, Stream<String> cells) {
        lines.add(cells.collect(Collectors.joining(" | ", "| " + title + " | ", " |")));
    }

    /**
     * The whole table.
     *
     * @return with an empty line before it
     */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
