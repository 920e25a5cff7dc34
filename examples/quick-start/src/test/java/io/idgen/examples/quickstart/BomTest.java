package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Tests the modules and the versions that {@code idgen-bom} manages. */
class BomTest {
    private final Element bom = Poms.of("idgen-bom");

    @Test
    void theBomHasEveryPublishedModuleAndNothingElse() {
        assertThat(Poms.managed(bom))
                .extracting(dependency -> Poms.text(dependency, "groupId") + ":" + Poms.text(dependency, "artifactId"))
                .as("add a new module to idgen-bom/pom.xml, or give it the parent idgen-parent and maven.deploy.skip")
                .containsExactlyInAnyOrderElementsOf(Poms.published().values().stream()
                        .map(module -> "io.idgen:" + module)
                        .toList());
    }

    @Test
    void onlyTheBomThePublishedModulesAndTheirParentsAreDeployed() {
        assertThat(Poms.modules())
                .filteredOn(BomTest::isDeployed)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of("idgen-bom", "parent", "parent/published"),
                                Poms.published().keySet().stream())
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

    @Test
    void whatTheBomAndTheRootCannotInheritIsAsInTheParent() {
        Element parent = Poms.parent();

        assertThat(versionsByPlugin(parent)).containsAllEntriesOf(versionsByPlugin(bom));
        assertThat(versionsByPlugin(parent)).containsAllEntriesOf(versionsByPlugin(Poms.of(".")));
        for (String name : List.of("url", "inceptionYear", "licenses", "developers", "scm")) {
            assertThat(words(bom, name)).as(name).isEqualTo(words(parent, name));
        }
        assertThat(Poms.text(Poms.child(bom, "properties"), "project.home"))
                .isEqualTo(Poms.text(Poms.child(parent, "properties"), "project.home"));
    }

    private static boolean isDeployed(String folder) {
        return !"true".equals(Poms.properties(Poms.of(folder)).get("maven.deploy.skip"));
    }

    private static Map<String, String> versionsByPlugin(Element pom) {
        NodeList plugins = pom.getElementsByTagName("plugin");
        return IntStream.range(0, plugins.getLength())
                .mapToObj(i -> (Element) plugins.item(i))
                .filter(plugin -> Poms.child(plugin, "version") != null)
                .collect(Collectors.toMap(
                        plugin -> Poms.text(plugin, "artifactId"), plugin -> Poms.text(plugin, "version")));
    }

    private static String words(Element pom, String name) {
        return Poms.text(pom, name).strip().replaceAll("\\s+", " ");
    }
}
