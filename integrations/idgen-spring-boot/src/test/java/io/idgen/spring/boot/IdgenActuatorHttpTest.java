package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests the responses of the actuator over HTTP. */
@Tag("matrix")
class IdgenActuatorHttpTest {

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

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theEndpointDecodesIdsAndRejectsNumbersThatAreNone(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                ConfigurableApplicationContext shop = start(database)) {
            long id = shop.getBean(Books.class).save(new Book("Emma")).id();

            assertThat(get(shop, "/idgen/" + id))
                    .returns(200, HttpResponse::statusCode)
                    .satisfies(response -> assertThat(response.body()).contains("\"id\":\"" + id + "\""));
            for (String number : new String[] {"-5", "0", "text"}) {
                assertThat(get(shop, "/idgen/" + number).statusCode())
                        .as(number)
                        .isEqualTo(400);
            }
            assertThat(get(shop, "/idgen").body()).contains("\"Book\"");
            assertThat(get(shop, "/health/idgen"))
                    .returns(200, HttpResponse::statusCode)
                    .satisfies(response -> assertThat(response.body()).contains("\"Book\":\"UP\""));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void settingsAreShownAndSecretsAreMaskedWhateverIsShown(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                ConfigurableApplicationContext shop = start(
                        database,
                        "idgen.sources.Book.strategy=segment",
                        "idgen.worker.reserved[0]=3",
                        "idgen.jdbc.url=" + database.plainUrl(),
                        "idgen.jdbc.user=" + database.user(),
                        "idgen.jdbc.password=" + database.password(),
                        "management.endpoint.configprops.show-values=always",
                        "management.endpoint.env.show-values=always")) {
            for (String path : new String[] {"/configprops/idgen", "/env/idgen.jdbc.url"}) {
                assertThat(get(shop, path))
                        .returns(200, HttpResponse::statusCode)
                        .satisfies(response ->
                                assertThat(response.body()).contains("******").doesNotContain(database.plainUrl()));
            }
            assertThat(get(shop, "/configprops/idgen").body())
                    .contains("\"Book\":{\"strategy\":\"segment\"}", "\"reserved\"");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void withoutSettingsTheActuatorShowsNoValues(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                ConfigurableApplicationContext shop =
                        start(database, "idgen=", "idgen.sources.Book.strategy=segment")) {
            assertThat(get(shop, "/configprops/idgen").body())
                    .contains("\"Book\":{\"strategy\":\"******\"}")
                    .doesNotContain("segment");
        }
    }
}
