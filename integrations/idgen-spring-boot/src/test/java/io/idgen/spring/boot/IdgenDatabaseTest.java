package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Tests which database counts as a server: one that does not answer does. */
@Timeout(120)
class IdgenDatabaseTest {

    /** An application without JPA, which would connect to the database itself. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IdgenAutoConfiguration.class)
    static class Ids {
        @Bean
        DataSource dataSource(Environment environment) {
            return new DriverManagerDataSource(environment.getRequiredProperty("url"));
        }
    }

    private static void start(String url) {
        new SpringApplicationBuilder(Ids.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "url=" + url,
                        "idgen.sources.parcels.strategy=segment",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run()
                .close();
    }

    @Test
    void aDatabaseThatDoesNotAnswerStopsTheStart() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertThatThrownBy(() -> start("jdbc:postgresql://localhost:" + port + "/shop?user=shop"))
                .rootCause()
                .isInstanceOf(java.net.ConnectException.class);
    }

    /** The control: the same application starts if its database is embedded. */
    @Test
    void anEmbeddedDatabaseIsNotNeededAtTheStart() {
        try (Database h2 = TestDatabase.H2.create()) {
            start(h2.url());
        }
    }
}
