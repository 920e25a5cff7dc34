package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** What {@code idgen-bom} gives to applications. */
class BomTest {
    private final Element bom = Poms.of("idgen-bom");

    @Test
    void theBomHasEveryPublishedModuleAndNothingElse() {
        assertThat(Poms.managed(bom))
                .extracting(dependency -> Poms.text(dependency, "groupId") + ":" + Poms.text(dependency, "artifactId"))
                .as("add a new module to idgen-bom/pom.xml, or set maven.deploy.skip in its own pom.xml")
                .containsExactlyInAnyOrderElementsOf(Poms.published().values().stream()
                        .map(module -> "io.idgen:" + module)
                        .toList());
    }

    @Test
    void allVersionsAreThatOfTheProject() {
        assertThat(Poms.text(bom, "version")).isEqualTo(Poms.text(Poms.parent(), "version"));
        assertThat(Poms.managed(bom))
                .allSatisfy(dependency ->
                        assertThat(Poms.text(dependency, "version")).isEqualTo("${project.version}"));
    }

    @Test
    void theVersionsThatIdgenIsTestedWithStayOutOfApplications() {
        assertThat(Poms.child(bom, "parent")).isNull();
    }
}
