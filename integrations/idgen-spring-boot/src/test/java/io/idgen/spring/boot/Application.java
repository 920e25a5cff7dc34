package io.idgen.spring.boot;

import io.idgen.jdbc.testing.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the applications of tests. */
final class Application {
    private Application() {}

    /**
     * Starts an application over a database.
     *
     * @param settings in the form of application.properties
     */
    static ConfigurableApplicationContext start(Class<?> application, Database database, String... settings) {
        return start(new SpringApplicationBuilder(application), database, settings);
    }

    /** Starts an application that the test has prepared. A later setting replaces an earlier one. */
    static ConfigurableApplicationContext start(
            SpringApplicationBuilder application, Database database, String... settings) {
        return run(application.web(WebApplicationType.NONE), database, settings);
    }

    /** Starts an application with a web server. */
    static ConfigurableApplicationContext startWeb(Class<?> application, Database database, String... settings) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application).web(WebApplicationType.SERVLET);
        return run(builder, database, settings);
    }

    private static ConfigurableApplicationContext run(
            SpringApplicationBuilder application, Database database, String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.jpa.open-in-view=false",
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false"));
        all.addAll(Arrays.asList(settings));
        return application.properties(all.toArray(String[]::new)).run();
    }

    /** Returns settings in which those of the test come last, so that they replace the others. */
    static String[] with(String[] test, String... settings) {
        return Stream.concat(Stream.of(settings), Stream.of(test)).toArray(String[]::new);
    }
}
