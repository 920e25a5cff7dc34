package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the settings, modules and classes of {@code AGENTS.md} exist, and that the page stays short. */
class AgentsTest {
    private static final String PAGE = Pages.read(Pages.ROOT.resolve("AGENTS.md"));
    private static final Set<String> OF_OTHERS = Set.of("GeneratedValue", "BIGINT");

    /** Returns the words in code that match as a whole. */
    private static List<String> code(String pattern) {
        return Pattern.compile("`(" + pattern + ")`")
                .matcher(PAGE)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void theSettingsExist() {
        assertThat(code("idgen\\.[a-z.-]+"))
                .isNotEmpty()
                .isSubsetOf(IdSources.settings().stream().map(Object::toString).toList());
    }

    @Test
    void theModulesArePublished() {
        assertThat(code("idgen-[a-z0-9-]+"))
                .isNotEmpty()
                .isSubsetOf(Stream.concat(Stream.of("idgen-bom"), Poms.published().values().stream())
                        .toList());
    }

    @Test
    void theClassesExist() throws IOException {
        Set<String> classes = Sources.classes(".*/src/main/java/io/idgen/(?!examples).*");
        classes.addAll(OF_OTHERS);
        assertThat(code("@?[A-Z]\\w+"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(classes).contains(name.replace("@", "")));
    }

    @Test
    void thePageIsAScreen() {
        assertThat(PAGE.lines()).hasSizeLessThan(45);
    }
}
