package io.idgen.benchmarks.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tables in Markdown, of a row for each subject and a column for each number of threads. */
final class Table {
    private Table() {}

    /** A table for each kind that has subjects. */
    static List<String> byKind(Collection<Subject> subjects, Forks forks, BiFunction<Subject, Integer, String> cell) {
        List<String> lines = new ArrayList<>();
        for (Subject.Kind kind : Subject.Kind.values()) {
            List<String> rows = Subject.of(kind).stream()
                    .filter(subjects::contains)
                    .map(subject -> row(
                            subject.title,
                            IntStream.of(forks.threads).mapToObj(threads -> cell.apply(subject, threads))))
                    .toList();
            if (!rows.isEmpty()) {
                lines.addAll(head(kind.title, forks));
                lines.addAll(rows);
            }
        }
        return lines;
    }

    static List<String> head(String title, Forks forks) {
        return head(
                title,
                IntStream.of(forks.threads).mapToObj(threads -> threads == 1 ? "1 thread" : threads + " threads"));
    }

    static List<String> head(String title, Stream<String> columns) {
        String head = row(title, columns);
        long count = head.chars().filter(c -> c == '|').count() - 2;
        return List.of("", head, "|---|" + "--:|".repeat((int) count));
    }

    static String row(String title, Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| " + title + " | ", " |"));
    }
}
