package io.idgen.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks the order of this module's packages: a package uses only packages that are listed before it. So there are no
 * cycles.
 */
class PackageOrderTest {
    /** From the ground up. A new package gets its place here. */
    private static final List<String> PACKAGES =
            List.of("io.idgen.cli.common", "io.idgen.cli.serve", "io.idgen.cli.compare", "io.idgen.cli");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.idgen.cli");

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(PACKAGES);
    }

    @Test
    void noPackageUsesOneThatIsListedAfterIt() {
        check(PACKAGES);
    }

    /** The control: in the opposite order, nearly every dependency points the wrong way. */
    @Test
    void aDependencyThatPointsUpIsFound() {
        List<String> upsideDown = new ArrayList<>(PACKAGES);
        Collections.reverse(upsideDown);

        assertThat(assertThrows(AssertionError.class, () -> check(upsideDown)))
                .hasMessageContaining("Architecture Violation");
    }

    private static void check(List<String> order) {
        for (int i = 0; i < order.size() - 1; i++) {
            String[] above = order.subList(i + 1, order.size()).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(order.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .because("a package uses only those that are listed before it")
                    .check(CLASSES);
        }
    }
}
