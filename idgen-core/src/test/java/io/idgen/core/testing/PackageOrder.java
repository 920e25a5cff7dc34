package io.idgen.core.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Holds the order of a module's packages: a package uses only those that are listed before it. So there is no circle
 * either.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PackageOrder {
    private final List<String> packages;
    private final JavaClasses classes;

    /** Of all packages whose names begin with a prefix, from the ground up. */
    protected PackageOrder(String prefix, List<String> packages) {
        this.packages = packages;
        this.classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                // a module for tests alone, which has a package of io.idgen.jdbc
                .withImportOption(location ->
                        !location.contains("idgen-test-databases") && !location.contains("/testing/databases/"))
                .importPackages(prefix);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        assertThat(classes.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(packages);
    }

    @Test
    void noPackageUsesOneThatIsListedAfterIt() {
        check(packages);
    }

    /** The control: in the opposite order, nearly every dependency points the wrong way. */
    @Test
    void aDependencyThatPointsUpIsFound() {
        assumeTrue(packages.size() > 1, "one package has no order");
        List<String> upsideDown = new ArrayList<>(packages);
        Collections.reverse(upsideDown);

        assertThat(assertThrows(AssertionError.class, () -> check(upsideDown)))
                .hasMessageContaining("Architecture Violation");
    }

    private void check(List<String> order) {
        for (int i = 0; i < order.size() - 1; i++) {
            String[] above = order.subList(i + 1, order.size()).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(order.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .because("a package uses only those that are listed before it")
                    .check(classes);
        }
    }
}
