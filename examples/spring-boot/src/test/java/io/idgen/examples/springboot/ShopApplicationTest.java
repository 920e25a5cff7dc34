package io.idgen.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("matrix")
class ShopApplicationTest {
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\d+)\"");
    private static final String ORDER = """
            {"customer": "Dorothea", "lines": [{"product": "Middlemarch", "quantity": 1}, {"product": "Emma", "quantity": 2}]}
            """;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext shop;

    @BeforeAll
    static void start() {
        shop = SpringApplication.run(
                ShopApplication.class, "--server.port=0", "--logging.level.root=warn", "--spring.main.banner-mode=off");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://localhost:" + shop.getEnvironment().getProperty("local.server.port") + path));
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(to(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> save() throws IOException, InterruptedException {
        HttpRequest request = to("/orders")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(ORDER))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void anOrderAndItsLinesGetIdsThatAreStringsInJson() throws Exception {
        HttpResponse<String> saved = save();

        assertThat(saved.statusCode()).isEqualTo(201);
        assertThat(ID.matcher(saved.body()).results().map(found -> found.group(1)))
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allMatch(id -> Long.parseLong(id) > 1L << 53);
    }

    @Test
    void anOrderIsFoundByTheIdThatTheClientReceived() throws Exception {
        Matcher id = ID.matcher(save().body());
        assertThat(id.find()).isTrue();

        HttpResponse<String> found = get("/orders/" + id.group(1));

        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(found.body()).contains("\"id\":\"" + id.group(1) + "\"", "Middlemarch");
    }

    @Test
    void aNameWithSettingsIsABean() {
        assertThat(shop.getBean(Parcels.class).nextNumber()).isEqualTo(100);
        assertThat(shop.getBean("parcelsIdSource", IdSource.class).nextId()).isEqualTo(101);
    }

    @Test
    void healthAndEndpointShowTheSource() throws Exception {
        save();

        assertThat(get("/actuator/health").body()).contains("\"idgen\":{\"details\":{\"customer_order\":\"UP\"");
        assertThat(get("/actuator/idgen").body()).contains("customer_order", "\"hasIds\":true");
        assertThat(get("/actuator/metrics/idgen.health?tag=idgen.source:customer_order")
                        .body())
                .contains("\"value\":1.0");
    }
}
