package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that {@code docs/glossary.md} defines idgen's own terms. A page marks a term that it introduces by *emphasis*.
 */
class GlossaryTest {
    private static final Pattern EMPHASIS = Pattern.compile("(?<![*\\w\\\\])\\*([^*|`\\n]+)\\*(?![*\\w])");
    /** Text that introduces no term: code, and items of lists that begin with a heading in emphasis. */
    private static final Pattern OTHER = Pattern.compile("(?s)```.*?```|`[^`\\n]*`|(?m)^- \\*[^*\\n]+\\*[^\\n]*$");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+?) \\|");
    private static final List<String> TERMS = ROW.matcher(Pages.read(Pages.ROOT.resolve("docs/glossary.md")))
            .results()
            .map(row -> row.group(1))
            .filter(term -> !term.equals("term") && !term.startsWith("-"))
            .toList();

    static List<Path> pages() {
        return Pages.forUsers();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyTermThatAPageIntroducesIsInTheGlossary(Path page) {
        List<String> introduced = EMPHASIS.matcher(
                        OTHER.matcher(Pages.read(page)).replaceAll(""))
                .results()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .toList();

        assertThat(TERMS).as("terms of %s in *emphasis*", page.getFileName()).containsAll(introduced);
    }

    /** Ordinary words that have a special meaning in idgen. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "adopt", "assigner", "clock policy", "control", "counter", "fence", "generation", "horizon",
                "incarnation marker", "lag", "layout", "lease", "namespace", "reach", "refill", "reserve",
                "reserved worker id", "run-ahead", "segment", "server identity", "source", "spare", "step", "takeover",
                "tick", "window", "worker id"
            })
    void aWordOfIdgensOwnIsDefinedAndUsed(String term) {
        assertThat(TERMS).contains(term);
        assertThat(pages().stream()
                        .filter(page -> !page.endsWith("glossary.md"))
                        .map(page -> Pages.read(page).toLowerCase(Locale.ROOT))
                        .anyMatch(page -> page.contains(term)))
                .as("a page uses %s; otherwise delete it from the glossary", term)
                .isTrue();
    }
}
