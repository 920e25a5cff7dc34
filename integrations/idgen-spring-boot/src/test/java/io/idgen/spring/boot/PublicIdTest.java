package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.spring.boot.desk.Desk;
import io.idgen.text.PublicIds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Public ids in paths and parameters, on Spring MVC and on Spring WebFlux. */
class PublicIdTest {
    private static final long ID = 382324861541810186L;

    private ConfigurableApplicationContext desk;

    private void start(WebApplicationType type, String... settings) {
        desk = new SpringApplicationBuilder(Desk.class)
                .web(type)
                .properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=off")
                .properties(settings)
                .run();
    }

    @AfterEach
    void stop() {
        desk.close();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = desk.getEnvironment().getProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private String encoded(String kind, long id) {
        return desk.getBean(PublicIds.class).withPrefix(kind).encode(id);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void aPublicIdReachesTheControllerAsALongAndAnotherTextIsABadRequest(WebApplicationType type) throws Exception {
        start(type);
        String order = encoded("order", ID);

        assertThat(get("/orders/" + order).body()).isEqualTo("order " + ID);
        assertThat(get("/orders?after=" + order).body()).isEqualTo("orders after " + ID);
        assertThat(get("/orders").body()).isEqualTo("orders after null");
        assertThat(get("/orders/" + ID + "/plain").body()).isEqualTo("plain " + ID);
        // after a failed conversion, Spring itself would parse a number
        for (String wrong : new String[] {"" + ID, "0x10", encoded("customer", ID), "order_k1_", "order"}) {
            assertThat(get("/orders/" + wrong).statusCode()).as(wrong).isEqualTo(400);
            assertThat(get("/orders?after=" + wrong).statusCode()).as(wrong).isEqualTo(400);
        }
        assertThat(get("/orders/" + order + "/narrow").statusCode()).isEqualTo(500);
        assertThat(get("/orders/7/narrow").statusCode()).isEqualTo(500);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void withoutKeysTheRequestFailsInsteadOfReadingAnotherId(WebApplicationType type) throws Exception {
        start(type, "desk.keys=false");

        assertThat(get("/orders/" + ID).statusCode()).isEqualTo(500);
        assertThat(get("/orders/" + ID + "/plain").body()).isEqualTo("plain " + ID);
    }
}
