package io.idgen.benchmarks.insert;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table for a page of text: the first column is words, the others are numbers. */
final class MarkdownTable {
    private final List<String> lines = new ArrayList<>();

    MarkdownTable(String... header) {
        row(header);
        lines.add("|---" + "|--:".repeat(header.length - 1) + "|");
    }

    MarkdownTable row(String... cells) {
        lines.add(List.of(cells).stream().collect(Collectors.joining(" | ", "| ", " |")));
        return this;
    }

    @Override
    public String toString() {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
