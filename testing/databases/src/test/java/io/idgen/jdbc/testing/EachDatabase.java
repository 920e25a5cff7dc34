package io.idgen.jdbc.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Runs a parameterized class or test on each {@link TestDatabase} of this run. The property {@code test.databases} of
 * the build selects them: H2 and PostgreSQL by default, MariaDB and MySQL with the profile {@code servers}, all with
 * {@code nightly}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ArgumentsSource(EachDatabase.Kinds.class)
@Tag("each-database")
public @interface EachDatabase {

    /** The kinds, of those in this run; all if empty. */
    TestDatabase[] value() default {};

    /** The kinds that are left out. */
    TestDatabase[] except() default {};

    /** The kinds that are part of this run. */
    final class Kinds implements ArgumentsProvider, AnnotationConsumer<EachDatabase> {
        private static final String OF_THIS_RUN = System.getProperty("test.databases", "H2|POSTGRESQL");

        private final Set<TestDatabase> wanted = EnumSet.allOf(TestDatabase.class);

        /** Returns whether a kind is part of this run. */
        public static boolean isOfThisRun(TestDatabase kind) {
            return kind.name().matches(OF_THIS_RUN);
        }

        @Override
        public void accept(EachDatabase annotation) {
            if (annotation.value().length > 0) {
                wanted.retainAll(List.of(annotation.value()));
            }
            wanted.removeAll(List.of(annotation.except()));
        }

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return wanted.stream().filter(Kinds::isOfThisRun).map(Arguments::of);
        }
    }
}
