package io.idgen.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/errors.md} is generated from {@link ErrorCode}. Compares the page in every build, and writes it on
 * request.
 */
class ErrorsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "errors.md");
    private static final Path SOURCE = Path.of("src", "main", "java", "io", "idgen", "core", "ErrorCode.java");
    private static final String COMMAND = ".ci/pages errors";

    @Test
    void thePageOfErrorsIsTheListInTheCode() throws IOException {
        String page = render();
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).as("make it with %s", COMMAND).exists();
        assertThat(Files.readString(PAGE)).as("make it again with %s", COMMAND).isEqualTo(page);
    }

    @Test
    void everyCodeHasANumberOfItsOwnAndIsInOrder() {
        assertThat(ErrorCode.values())
                .extracting(ErrorCode::code)
                .allMatch(code -> code.matches("IDGEN-[1-6]\\d\\d"))
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void everyTextIsASentence() throws IOException {
        Map<String, String> meanings = meanings();
        assertThat(Arrays.stream(ErrorCode.values())
                        .flatMap(code -> Stream.of(meanings.getOrDefault(code.name(), ""), code.wayOut()))
                        .filter(text -> !text.matches("[A-Z@].{10,}\\.")))
                .isEmpty();
    }

    /** Returns the meaning of each code: its description in the source. */
    private static Map<String, String> meanings() throws IOException {
        Matcher constants =
                Pattern.compile("(?s)/\\*\\*([^/]*)\\*/\\s+([A-Z_]+)\\(").matcher(Files.readString(SOURCE));
        return constants
                .results()
                .collect(Collectors.toMap(
                        constant -> constant.group(2),
                        constant -> constant.group(1)
                                .replaceAll("\\{@code ([^}]*)}", "$1")
                                .replaceAll("[\\s*]+", " ")
                                .strip()));
    }

    @Test
    void aMessageBeginsWithItsCode() {
        IdGenerationException e = new IdGenerationException(ErrorCode.SOURCE_CLOSED, "over");

        assertThat(e).hasMessage("IDGEN-107: over");
        assertThat(e.code()).isSameAs(ErrorCode.SOURCE_CLOSED).hasToString("IDGEN-107");
    }

    private static String render() throws IOException {
        Map<String, String> meanings = meanings();
        StringBuilder page = new StringBuilder("<!-- Generated from ErrorCode by: ")
                .append(COMMAND)
                .append(" -->\n\n# Errors\n\n")
                .append(
                        "Every exception of idgen has one of these codes, in `code()` and at the beginning of its message.\n")
                .append("A code never changes its meaning. On call, read [operations.md](operations.md).\n\n")
                .append("| code | meaning | way out |\n|---|---|---|\n");
        Arrays.stream(ErrorCode.values())
                .forEach(code -> page.append("| <a id=\"" + code.code().toLowerCase(Locale.ROOT) + "\"></a>")
                        .append(code.code())
                        .append(" | ")
                        .append(cell(meanings.get(code.name())))
                        .append(" | ")
                        .append(cell(code.wayOut()))
                        .append(" |\n"));
        return page.toString();
    }

    private static String cell(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("|", "\\|");
    }
}
