package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the bill of materials with the modules that are published. */
class BomTest {
    private static final String BOM = pom("parent/bom");

    @Test
    void theBomHasEveryPublishedModuleAndNothingElse() {
        List<String> published = matches("<module>([^<]+)</module>", pom("."))
                .filter(module -> !module.startsWith("parent") && !pom(module).contains("<maven.deploy.skip>true<"))
                .map(module -> module.replaceFirst(".*/", ""))
                .toList();

        assertThat(matches("<dependency>.*?<artifactId>([^<]+)</artifactId>", BOM))
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void theVersionsAreThatOfTheProjectAndTheBomHasNoParentWhoseVersionsReachApplications() {
        assertThat(matches("<dependency>.*?<version>([^<]+)</version>", BOM)).containsOnly("${project.version}");
        assertThat(matches("<version>([^<]+)</version>", BOM).findFirst())
                .isEqualTo(matches("<version>([^<]+)</version>", pom("parent")).findFirst());
        assertThat(matches("<project.home>([^<]+)<", BOM).findFirst())
                .isEqualTo(matches("<project.home>([^<]+)<", pom("parent")).findFirst());
        assertThat(BOM).doesNotContain("<parent>");
    }

    private static Stream<String> matches(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1));
    }

    private static String pom(String folder) {
        return Pages.read(Pages.ROOT.resolve(folder).resolve("pom.xml"));
    }
}
