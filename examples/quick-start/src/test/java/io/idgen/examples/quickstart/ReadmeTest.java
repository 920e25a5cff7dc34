package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares code blocks in README and docs with the code. */
class ReadmeTest {
    private static final Pattern SNIPPET =
            Pattern.compile("```(java|kotlin|xml|properties|sql|yaml)\\n(.*?)```", Pattern.DOTALL);

    private static final List<String> SOURCES = Stream.of("examples", "integrations")
            .flatMap(folder -> sources(Pages.ROOT.resolve(folder)).stream())
            .map(ReadmeTest::words)
            .toList();

    /** A page and one of its code blocks. */
    record Snippet(String page, String code) {}

    static Stream<Snippet> snippets() {
        return Pages.forUsers().stream().flatMap(page -> {
            Matcher matcher = SNIPPET.matcher(Pages.read(page));
            return matcher.results()
                    .filter(result -> !result.group(1).equals("sql")) // OperationsPageTest runs them on a server
                    .filter(result -> !result.group(2).startsWith("implementation(")) // Gradle's
                    .map(result -> new Snippet(page.getFileName().toString(), result.group(2)));
        });
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void everySnippetStandsInASourceThatIsBuilt(Snippet snippet) {
        assertThat(SOURCES.stream().anyMatch(source -> source.contains(words(snippet.code()))))
                .as("a source in examples or integrations has this code of %s:%n%s", snippet.page(), snippet.code())
                .isTrue();
    }

    @Test
    void theOrdersPerSecondAreMeasured() {
        String comparison = Pages.read(Pages.ROOT.resolve("README.md"))
                .split("## How it compares")[1]
                .split("\n## ")[0];
        List<String> figures = Pattern.compile("(?m)^\\| [^|]+ \\| ([\\d,]+) \\|")
                .matcher(comparison)
                .results()
                .map(row -> "| " + row.group(1) + " |")
                .toList();

        assertThat(figures).hasSize(5);
        assertThat(Pages.read(Pages.ROOT.resolve("docs/performance.md"))).contains(figures);
    }

    private static List<String> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt|xml|properties|sql|yaml)"))
                    .filter(file -> !file.toString().contains("target"))
                    .map(Pages::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Normalises white space, because a snippet may be indented differently in its source. */
    private static String words(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
