package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds classes that can receive an {@link IdSource} or {@link IdSources}. An {@code ObjectProvider} looks for its bean
 * only when it is called, so the dependencies of beans do not show that.
 */
final class UsesSources {
    private static final Set<String> OF_IDGEN = Set.of(
            UsesSources.class.getPackageName(),
            IdSource.class.getPackageName(),
            IdSources.class.getPackageName(),
            "io.idgen.micrometer");

    private UsesSources() {}

    /** Returns whether a constructor, a field or a method of the class or of a superclass has such a type. */
    static boolean in(Class<?> type) {
        @Nullable Class<?> each = type;
        while (each != null && (OF_IDGEN.contains(each.getPackageName()) || !isMentioned(each))) {
            each = each.getSuperclass();
        }
        return each != null;
    }

    private static boolean isMentioned(Class<?> type) {
        try {
            return Stream.of(
                            Stream.of(type.getDeclaredConstructors()).map(Constructor::toGenericString),
                            Stream.of(type.getDeclaredFields()).map(Field::toGenericString),
                            Stream.of(type.getDeclaredMethods()).map(Method::toGenericString))
                    .flatMap(members -> members)
                    .anyMatch(member ->
                            member.contains(IdSource.class.getName()) || member.contains(IdSources.class.getName()));
        } catch (LinkageError | TypeNotPresentException e) {
            return false; // it has members of types that this application does not have
        }
    }
}
