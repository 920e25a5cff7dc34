package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests the responses of the actuator over HTTP. */
class IdgenActuatorHttpTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private static ConfigurableApplicationContext start(Database database, String... settings) {
        return Application.startWeb(
                Shop.class,
                database,
                Application.with(
                        settings,
                        "server.port=0",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always"));
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext shop, String path)
            throws IOException, InterruptedException {
        String port = shop.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator" + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void secretsAreMaskedWhateverIsShown() throws Exception {
        try (ConfigurableApplicationContext shop =
                start(h2, "idgen.jdbc.url=" + h2.plainUrl(), "management.endpoint.env.show-values=always")) {
            assertThat(get(shop, "/env/idgen.jdbc.url").body())
                    .contains("******")
                    .doesNotContain(h2.plainUrl());
        }
    }
}
