package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@code docs/reliability.md} has the figures that the harness wrote. */
class ReliabilityPageTest {
    private static final Path DOCS = Poms.ROOT.resolve("docs");
    private static final Path RESULTS = DOCS.resolve("internals/results");

    private static final Pattern SOURCE = Pattern.compile("\\| `(control-)?(?:snowflake|counter|function|hibernate)`"
            + " \\| (\\S+) \\| (\\S+) \\| (\\S+) \\| \\S+ \\| \\S+ \\| (\\S+) \\|");
    private static final Pattern PROCESSES = Pattern.compile("\\n(\\S+) processes generated these ids");
    private static final Pattern FAULT = Pattern.compile("\\n\\| [a-z ]+: [^|]+ \\| (\\S+) \\|");
    private static final Pattern TAKEN = Pattern.compile("another process took the row \\| (\\S+) \\|");

    static List<String> results() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("proof-"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("results")
    void eachRunHasItsRow(String name) throws IOException {
        String result = Files.readString(RESULTS.resolve(name));
        List<MatchResult> all = SOURCE.matcher(result).results().toList();
        List<MatchResult> sources =
                all.stream().filter(source -> source.group(1) == null).toList();
        String row = String.format(
                Locale.ROOT,
                "](internals/results/%s) | %s | %s | %s | %,d | %s | %s |",
                name,
                both(sources, 2),
                both(all.stream().filter(source -> source.group(1) != null).toList(), 3),
                only(PROCESSES, result),
                sum(FAULT.matcher(result).results().toList(), 1),
                only(TAKEN, result),
                sources.stream()
                        .mapToDouble(source -> Double.parseDouble(source.group(5)))
                        .max()
                        .orElseThrow());

        assertThat(sum(sources, 3) + sum(sources, 4))
                .as("ids that repeat or fall")
                .isZero();
        assertThat(Files.readString(DOCS.resolve("reliability.md"))).contains(row);
    }

    private static String both(List<MatchResult> sources, int cell) {
        return sources.stream().map(source -> source.group(cell)).collect(Collectors.joining("; "));
    }

    private static long sum(List<MatchResult> rows, int cell) {
        return rows.stream()
                .mapToLong(row -> Long.parseLong(row.group(cell).replace(",", "")))
                .sum();
    }

    private static String only(Pattern pattern, String result) {
        return pattern.matcher(result)
                .results()
                .map(each -> each.group(1))
                .reduce((one, another) -> {
                    throw new IllegalArgumentException(pattern + " occurs twice");
                })
                .orElseThrow();
    }
}
