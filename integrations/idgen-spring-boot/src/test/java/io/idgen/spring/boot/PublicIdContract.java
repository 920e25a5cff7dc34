package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.spring.boot.desk.Desk;
import io.idgen.text.PublicIds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Public ids in requests to the controllers of an application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PublicIdContract {
    static final long ID = 382324861541810186L;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final WebApplicationType type;
    ConfigurableApplicationContext desk;
    private PublicIds ids;

    PublicIdContract(WebApplicationType type) {
        this.type = type;
    }

    @BeforeAll
    void start() {
        desk = start("desk.keys=true");
        ids = desk.getBean(PublicIds.class);
    }

    @AfterAll
    void stop() {
        desk.close();
    }

    final ConfigurableApplicationContext start(String setting) {
        return new SpringApplicationBuilder(Desk.class)
                .web(type)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "logging.level.root=off",
                        "shop.public-id-key=c2l4dGVlbiBieXRlcyBvcg==",
                        setting)
                .run();
    }

    private static HttpResponse<String> request(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getProperty("local.server.port");
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    final HttpResponse<String> request(String path) throws IOException, InterruptedException {
        return request(desk, path);
    }

    final String order(long id) {
        return ids.withPrefix("order").encode(id);
    }

    @Test
    void theTestsRunOnTheVersionThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("test.spring-boot"));
    }

    @Test
    void aPublicIdInThePathReachesTheControllerAsALong() throws Exception {
        assertThat(order(ID)).startsWith("order_k1_");
        assertThat(request("/orders/" + order(ID)).body()).isEqualTo("order " + ID);
    }

    @Test
    void theIdOfAnotherKindIsABadRequestThatSaysWhatBelongsThere() throws Exception {
        HttpResponse<String> answered =
                request("/orders/" + ids.withPrefix("customer").encode(ID));

        assertThat(answered.statusCode()).isEqualTo(400);
        assertThat(answered.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answered.body())
                .contains("\"status\":400", "'id': a public id of this kind begins with order_; character 1 is 'c'");
    }

    @Test
    void anIdThatIsNotEncodedIsABadRequest() throws Exception {
        assertThat(request("/orders/" + ID + "/plain").body()).isEqualTo("plain " + ID);

        assertThat(request("/orders/" + ID).statusCode()).isEqualTo(400);
        assertThat(request("/orders?after=" + ID).statusCode()).isEqualTo(400);
    }

    @Test
    void aParameterOfTheQueryIsDecoded() throws Exception {
        assertThat(request("/orders?after=" + order(7)).body()).isEqualTo("orders after 7 of null");
        assertThat(request("/orders?of=%26%C3%A4%2B&after=" + order(7)).body()).isEqualTo("orders after 7 of &ä+");
        assertThat(request("/orders").body()).isEqualTo("orders after null of null");
        assertThat(request("/orders?after=").statusCode()).isEqualTo(400);
        assertThat(request("/orders?after=" + order(7) + "&after=" + order(8)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aParameterWithANameOfItsOwnIsDecoded() throws Exception {
        assertThat(request("/orders/" + order(7) + "/named?order=" + order(8)).body())
                .isEqualTo("named 7 8");
    }

    @Test
    void aParameterOfAnotherTypeIsAnErrorOfTheApplication() throws Exception {
        assertThat(request("/orders/" + order(7) + "/narrow").statusCode()).isEqualTo(500);
    }

    @Test
    void withoutKeysTheApplicationFailsInsteadOfReadingAnotherId() throws Exception {
        try (ConfigurableApplicationContext withoutKeys = start("desk.keys=false")) {
            assertThat(request(withoutKeys, "/orders/" + ID).statusCode()).isEqualTo(500);
            assertThat(request(withoutKeys, "/orders/" + ID + "/plain").body()).isEqualTo("plain " + ID);
        }
    }

    @Test
    void aHandlerOfTheApplicationTakesPrecedence() throws Exception {
        try (ConfigurableApplicationContext withOwn = start("desk.errors=true")) {
            assertThat(request(withOwn, "/orders/" + ID).body()).isEqualTo("own answer");
        }
    }
}
