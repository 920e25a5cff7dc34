package io.idgen.spring.boot;

import io.idgen.jdbc.testing.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts applications of tests. */
final class Application {
    private Application() {}

    /**
     * Starts an application over a database.
     *
     * @param settings as in application.properties
     */
    static ConfigurableApplicationContext start(Class<?> application, Database database, String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.jpa.open-in-view=false",
                "spring.main.banner-mode=off",
                "logging.level.root=warn"));
        all.addAll(Arrays.asList(settings));
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new))
                .run();
    }
}
