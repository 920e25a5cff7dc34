package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the pictures of the documentation with their descriptions. Writes the pictures on request. */
class PicturesTest {
    private static final Path DESCRIPTIONS = Path.of("src", "test", "resources", "pictures");
    private static final Path IMAGES = Pages.ROOT.resolve("docs/images");
    private static final String CHINESE = ".zh-CN.svg";
    private static final String COMMAND = ".ci/pages pictures";

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(DESCRIPTIONS)) {
            return files.map(file -> file.getFileName().toString().replace(".txt", ""))
                    .sorted()
                    .toList();
        }
    }

    private static String description(String name) {
        return Pages.read(DESCRIPTIONS.resolve(name + ".txt"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPictureIsDrawnFromItsDescription(String name) throws IOException {
        isDrawn(name + ".svg", Picture.svg(description(name), false));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPictureIsDrawnInChinese(String name) throws IOException {
        isDrawn(name + CHINESE, Picture.svg(description(name), true));
    }

    private static void isDrawn(String file, String svg) throws IOException {
        Path picture = IMAGES.resolve(file);
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(picture, svg);
        }

        assertThat(picture).as("write it by %s", COMMAND).content().isEqualTo(svg);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPageShowsThePicture(String name) {
        assertThat(Pages.forUsers())
                .filteredOn(page -> !TranslationTest.isChinese(page))
                .anySatisfy(page -> assertThat(Pages.read(page)).contains("images/" + name + ".svg)"));
        assertThat(TranslationTest.pages())
                .anySatisfy(page -> assertThat(Pages.read(page)).contains("images/" + name + CHINESE + ")"));
    }

    @ParameterizedTest
    @MethodSource("io.idgen.examples.quickstart.TranslationTest#pages")
    void aChinesePageShowsNoPictureWithEnglishWords(Path page) {
        assertThat(Pages.read(page)).doesNotContainPattern("images/(?!badge-)[a-z]+\\.svg");
    }

    @Test
    void thePicturesShowTheDefaults() {
        assertThat(SnowflakeLayout.IDGEN.toString()).contains("41-5-5-12");
        assertThat(description("bits")).contains("time: 41 bits", "sequence: 12 bits", "until 2093");
        assertThat(SnowflakeLayout.IDGEN.parse(382324861541810186L).toString()).contains("2026-11-21T00:22:30.244Z");
        assertThat(description("lease"))
                .contains("+ " + defaultOf("idgen.worker.lease").replace("s", " s"))
                .contains("horizon: " + defaultOf("idgen.worker.window").replace("s", " s"));
        assertThat(description("outage"))
                .contains("reserve: " + defaultOf("idgen.segment.reserve").replace("s", " s"));
    }

    private static String defaultOf(String setting) {
        return IdSources.settings().stream()
                .filter(each -> each.toString().equals(setting))
                .findFirst()
                .orElseThrow()
                .defaultText()
                .orElseThrow();
    }

    @Test
    void anUnknownWordOfADescriptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Picture.svg("circle 1 2 3", false))
                .withMessageContaining("got: circle 1 2 3");
    }
}
