package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the Chinese pages follow the English ones. A heading, a command or a link that changes on an English page
 * must also change on the Chinese page.
 */
class TranslationTest {
    private static final String CHINESE = ".zh-CN.md";
    /** The part below this line has no English page. */
    private static final String OWN_PART = "<!-- only in Chinese, from here -->";

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE = Pattern.compile("`[^`\\n]+`");
    private static final Pattern HEADING = Pattern.compile("(?m)^(#+) ");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)");

    static List<Path> pages() {
        return Stream.of("", "docs")
                .flatMap(Pages::in)
                .filter(TranslationTest::isChinese)
                .toList();
    }

    static boolean isChinese(Path page) {
        return page.toString().endsWith(CHINESE);
    }

    @Test
    void readmeAndGettingStartedAreTranslated() {
        assertThat(pages())
                .extracting(page -> Pages.ROOT.relativize(page).toString())
                .containsExactly("README.zh-CN.md", "docs/getting-started.zh-CN.md");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void headingsHaveTheSameNumberAndLevels(Path page) {
        assertThat(headings(chinese(page))).isEqualTo(headings(english(page)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void codeBlocksAreTheSame(Path page) {
        assertThat(all(CODE_BLOCK, chinese(page))).isEqualTo(all(CODE_BLOCK, english(page)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theTextNamesTheSameCommandsSettingsAndCodes(Path page) {
        assertThat(names(chinese(page))).containsExactlyInAnyOrderElementsOf(names(english(page)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadToTheSamePages(Path page) {
        String own = englishName(page);

        assertThat(links(chinese(page), own)).containsExactlyInAnyOrderElementsOf(links(english(page), own));
    }

    private static String chinese(Path page) {
        return Pages.read(page).split(OWN_PART, 2)[0];
    }

    private static String english(Path page) {
        return Pages.read(page.resolveSibling(englishName(page)));
    }

    private static String englishName(Path page) {
        return page.getFileName().toString().replace(CHINESE, ".md");
    }

    private static String prose(String page) {
        return CODE_BLOCK.matcher(page).replaceAll("");
    }

    private static List<Integer> headings(String page) {
        return HEADING.matcher(prose(page))
                .results()
                .map(heading -> heading.group(1).length())
                .toList();
    }

    private static Set<String> names(String page) {
        return all(CODE, prose(page)).stream().collect(Collectors.toSet());
    }

    /** Returns the files and addresses that a page links or shows, except the same page in the other language. */
    private static Set<String> links(String page, String own) {
        return LINK.matcher(prose(page))
                .results()
                .map(link -> link.group(1).replace(".zh-CN.", "."))
                .filter(link -> !link.equals(own))
                .collect(Collectors.toSet());
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group()).toList();
    }
}
