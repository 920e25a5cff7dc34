package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code CONTRIBUTING.md} tells where the next class goes, by the names of its neighbours. */
class ContributingTest {
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)?(?:\\(\\))?`");

    @Test
    void theClassesExist() throws IOException {
        assertThat(CLASS.matcher(Pages.read(Pages.ROOT.resolve("CONTRIBUTING.md")))
                        .results()
                        .map(found -> found.group(1)))
                .hasSizeGreaterThan(50)
                .isSubsetOf(Sources.classes(".*"));
    }
}
