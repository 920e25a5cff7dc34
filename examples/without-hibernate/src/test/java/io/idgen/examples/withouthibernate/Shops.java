package io.idgen.examples.withouthibernate;

import io.idgen.jdbc.testing.Database;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Starts the variants that are Spring Boot applications. */
final class Shops {
    private Shops() {}

    static ConfigurableApplicationContext start(Class<?> application, Database database, DataSource dataSource) {
        List<String> settings = List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "logging.level.root=warn",
                "idgen.jdbc.initialize-schema=always",
                "idgen.jdbc.url=" + database.plainUrl(),
                "idgen.jdbc.user=" + database.user(),
                "idgen.jdbc.password=" + database.password());
        ApplicationContextInitializer<GenericApplicationContext> itsDataSource =
                context -> context.registerBean(DataSource.class, () -> dataSource);
        return new SpringApplicationBuilder(application)
                .initializers(itsDataSource)
                .properties(settings.toArray(String[]::new))
                .run();
    }
}
