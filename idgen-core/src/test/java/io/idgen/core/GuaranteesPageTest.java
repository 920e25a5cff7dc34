package io.idgen.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the tests to which {@code docs/guarantees.md} links exist, and that each claim links to one. */
class GuaranteesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "guarantees.md");
    private static final Pattern LINK = Pattern.compile("\\]\\((\\.\\./[^)#]+\\.java)(?:#(\\w+))?\\)");

    /** Matches a test annotation and its method, without a blank line between them. */
    private static final String TEST = "@(Test|ParameterizedTest|OnServers)\\n((?!\\n\\n)[\\s\\S])*?\\bvoid %s\\(";

    private static final int SHORT = 95;

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /** Returns the rows of the last table of a section, without its head. */
    private static List<String> claims(String section) throws IOException {
        String text = page().split("\n## " + section + "\n", 2)[1].split("\n## ", 2)[0];
        String lastTable = text.substring(text.lastIndexOf("|---|"));
        return lastTable.lines().skip(1).filter(line -> line.startsWith("|")).toList();
    }

    @Test
    void everyLinkedTestExists() throws IOException {
        List<MatchResult> links = LINK.matcher(page()).results().toList();

        assertThat(links).hasSizeGreaterThan(30).allSatisfy(link -> {
            Path source = PAGE.resolveSibling(link.group(1));
            assertThat(source).isRegularFile();
            assertThat(link.group(2)).as("a method of %s", source).isNotNull();
            assertThat(Files.readString(source)).containsPattern(TEST.formatted(link.group(2)));
        });
    }

    @Test
    void everyPromiseAndEveryDetectionLinksToATest() throws IOException {
        assertThat(claims("What idgen promises"))
                .hasSizeGreaterThan(5)
                .allMatch(row -> LINK.matcher(row).find());
        assertThat(claims("What idgen detects"))
                .hasSizeGreaterThan(3)
                .allMatch(row -> LINK.matcher(row).find());
    }

    @Test
    void thePageIsShort() throws IOException {
        assertThat(page().lines()).hasSizeLessThan(SHORT);
    }
}
