package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the links of all pages within the project, and finds pages without a link to them. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("(?m)(?:^#+ (.*)$|<a id=\"([^\"]+)\">)");

    static List<Path> pages() {
        return Stream.of("", "docs", "docs/internals").flatMap(Pages::in).toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAFileAndToAHeadingOfIt(Path page) {
        List<String> broken = Stream.concat(matches(LINK, page), matches(IMAGE, page))
                .filter(target -> !target.matches("[a-z]+:.*"))
                .filter(target -> !leadsSomewhere(page, target))
                .toList();

        assertThat(broken).as("broken links of %s", Pages.ROOT.relativize(page)).isEmpty();
    }

    @Test
    void theTableOfReadmeListsEveryPage() {
        Path index = Pages.ROOT.resolve("README.md");
        List<Path> listed = matches(LINK, index)
                .map(target ->
                        index.resolveSibling(target.replaceFirst("#.*", "")).normalize())
                .toList();

        assertThat(Stream.of("docs", "docs/internals").flatMap(Pages::in))
                .filteredOn(page -> !listed.contains(page))
                .as("pages missing in README.md: add a link to the row of their reader")
                .isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String target) {
        String file = target.replaceFirst("#.*", "");
        String anchor = target.contains("#") ? target.substring(target.indexOf('#') + 1) : "";
        Path linked = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(linked)) {
            return false;
        }
        return anchor.isEmpty()
                || !linked.toString().endsWith(".md")
                || anchors(linked).contains(anchor);
    }

    /**
     * Returns the anchors of the page, and those that code hosts generate from headings: in lower case, without
     * punctuation, with hyphens instead of blanks.
     */
    private static List<String> anchors(Path page) {
        return HEADING.matcher(Pages.read(page))
                .results()
                .map(heading -> Objects.requireNonNullElse(heading.group(1), heading.group(2))
                        .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static Stream<String> matches(Pattern pattern, Path page) {
        return pattern.matcher(CODE.matcher(Pages.read(page)).replaceAll(""))
                .results()
                .map((MatchResult match) -> match.group(1));
    }
}
