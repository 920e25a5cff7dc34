package io.idgen.hibernate.internal;

import java.util.List;
import java.util.function.Predicate;

/** Finds libraries on the class path that need a module of idgen, and do not have it. */
final class ClassPathCheck {
    private static final String NUMBERS =
            " writes ids as numbers, and JavaScript rounds those above 2^53 to other ids; if ids are sent as JSON,";

    /** A library, the class of idgen's module for it, and what happens without it. */
    private record Needed(String library, String module, String artifact, String effect) {}

    private static final List<Needed> ALL = List.of(
            new Needed(
                    "org.springframework.boot.SpringApplication",
                    "io.idgen.spring.boot.IdgenAutoConfiguration",
                    "idgen-spring-boot-starter",
                    " does not pass settings idgen.* of application.yaml to idgen without the starter, and"
                            + " spring.jpa.properties alone count; to use them,"),
            new Needed("tools.jackson.databind.ObjectMapper", "io.idgen.jackson.IdgenModule", "idgen-jackson", NUMBERS),
            new Needed(
                    "com.fasterxml.jackson.databind.ObjectMapper",
                    "io.idgen.jackson2.IdgenModule",
                    "idgen-jackson2",
                    NUMBERS));

    private ClassPathCheck() {}

    static boolean isPresent(String type) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? ClassPathCheck.class.getClassLoader() : context;
        return loader.getResource(type.replace('.', '/') + ".class") != null;
    }

    /** Returns a warning for each library whose module is missing. */
    static List<String> warnings(Predicate<String> isPresent) {
        return ALL.stream()
                .filter(each -> isPresent.test(each.library) && !isPresent.test(each.module))
                .map(each -> each.library + each.effect + " add the dependency io.idgen:" + each.artifact)
                .toList();
    }
}
