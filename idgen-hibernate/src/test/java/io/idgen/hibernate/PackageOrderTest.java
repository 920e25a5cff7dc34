package io.idgen.hibernate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between this module's packages. The internal package uses nothing from the package above it but
 * the annotation and the optimizers, which mappings name. The annotation names its generators and the generators read the
 * annotation, as Hibernate requires.
 */
class PackageOrderTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.idgen.hibernate");

    private static final DescribedPredicate<JavaClass> ABOVE = resideInAPackage("io.idgen.hibernate");

    @Test
    void theInternalPackageUsesOnlyWhatMappingsNameOfTheOneAbove() {
        check(ABOVE.and(not(belongToAnyOf(SnowflakeId.class, ReadAheadOptimizer.class, ReadAheadLoOptimizer.class))));
    }

    /** The control: without the exception, the check reports the generators that read the annotation. */
    @Test
    void aDependencyThatPointsUpIsFound() {
        assertThat(assertThrows(AssertionError.class, () -> check(ABOVE)))
                .hasMessageContaining("Architecture Violation");
    }

    private static void check(DescribedPredicate<JavaClass> above) {
        noClasses()
                .that()
                .resideInAPackage("io.idgen.hibernate.internal")
                .should()
                .dependOnClassesThat(above)
                .check(CLASSES);
    }
}
