package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.springframework.beans.SimpleTypeConverter;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

class PublicIdResolverTest {
    private static final long ID = 382324861541810186L;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext desk;
    private static PublicIds ids;

    @BeforeAll
    static void start() {
        desk = start("desk.keys=true");
        ids = desk.getBean(PublicIds.class);
    }

    @AfterAll
    static void stop() {
        desk.close();
    }

    private static ConfigurableApplicationContext start(String setting) {
        return new SpringApplicationBuilder(Desk.class)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "logging.level.root=error",
                        "shop.public-id-key=c2l4dGVlbiBieXRlcyBvcg==",
                        setting)
                .run();
    }

    private static MockHttpServletResponse mock(ConfigurableApplicationContext application, String path)
            throws Exception {
        return MockMvcBuilders.webAppContextSetup((WebApplicationContext) application)
                .build()
                .perform(MockMvcRequestBuilders.get(URI.create(path)))
                .andReturn()
                .getResponse();
    }

    private static MockHttpServletResponse mock(String path) throws Exception {
        return mock(desk, path);
    }

    private static HttpResponse<String> request(String path) throws IOException, InterruptedException {
        String port = desk.getEnvironment().getProperty("local.server.port");
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String order(long id) {
        return ids.withPrefix("order").encode(id);
    }

    @Test
    void theTestsRunOnTheVersionThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("test.spring-boot"));
    }

    @Test
    void aPublicIdInThePathReachesTheControllerAsALong() throws Exception {
        assertThat(order(ID)).startsWith("order_k1_");
        assertThat(mock("/orders/" + order(ID)).getContentAsString()).isEqualTo("order " + ID);
        assertThat(request("/orders/" + order(ID)).body()).isEqualTo("order " + ID);
    }

    @Test
    void theIdOfAnotherKindIsABadRequestThatSaysWhatBelongsThere() throws Exception {
        String path = "/orders/" + ids.withPrefix("customer").encode(ID);
        MockHttpServletResponse mocked = mock(path);
        HttpResponse<String> answered = request(path);

        assertThat(mocked.getStatus()).isEqualTo(400);
        assertThat(answered.statusCode()).isEqualTo(400);
        assertThat(answered.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answered.body())
                .contains("\"status\":400", "'id': a public id of this kind begins with order_; character 1 is 'c'");
        assertThat(mocked.getContentAsString()).contains("begins with order_");
    }

    @Test
    void anIdThatIsNotEncodedIsABadRequest() throws Exception {
        assertThat(request("/orders/" + ID + "/plain").body()).isEqualTo("plain " + ID);

        assertThat(request("/orders/" + ID).statusCode()).isEqualTo(400);
        assertThat(mock("/orders/" + ID).getStatus()).isEqualTo(400);
        assertThat(mock("/orders?after=" + ID).getStatus()).isEqualTo(400);
    }

    @Test
    void behindAConverterANumberWouldPassThatTheConverterRefuses() {
        DefaultConversionService conversions = new DefaultConversionService();
        Converter<String, Long> refusing = text -> {
            throw new IllegalArgumentException("not a public id");
        };
        conversions.addConverter(String.class, Long.class, refusing);
        SimpleTypeConverter spring = new SimpleTypeConverter();
        spring.setConversionService(conversions);

        assertThat(spring.convertIfNecessary(Long.toString(ID), Long.class)).isEqualTo(ID);
    }

    @Test
    void aParameterOfTheQueryIsDecoded() throws Exception {
        assertThat(mock("/orders?after=" + order(7)).getContentAsString()).isEqualTo("orders after 7");
        assertThat(mock("/orders").getContentAsString()).isEqualTo("orders after null");
        assertThat(mock("/orders?after=").getStatus()).isEqualTo(400);
        assertThat(mock("/orders?after=" + order(7) + "&after=" + order(8)).getStatus())
                .isEqualTo(400);
    }

    @Test
    void linksToControllersHavePublicIds() throws Exception {
        assertThat(request("/orders/" + order(7) + "/links").body())
                .isEqualTo("/orders/" + order(7) + " after=" + order(7));
    }

    @Test
    void aParameterOfAnotherTypeIsAnErrorOfTheApplication() {
        assertThatThrownBy(() -> mock("/orders/" + order(7) + "/narrow"))
                .hasStackTraceContaining("of type int; change the type to long or Long");
    }

    @Test
    void withoutKeysTheApplicationFailsInsteadOfReadingAnotherId() throws Exception {
        try (ConfigurableApplicationContext withoutKeys = start("desk.keys=false")) {
            assertThatThrownBy(() -> mock(withoutKeys, "/orders/" + ID))
                    .hasStackTraceContaining(
                            "there is no bean, or more than one, of the type " + PublicIds.class.getName());
        }
    }

    @Test
    void aHandlerOfTheApplicationTakesPrecedence() throws Exception {
        try (ConfigurableApplicationContext withOwn = start("desk.errors=true")) {
            assertThat(mock(withOwn, "/orders/" + ID).getContentAsString()).isEqualTo("own answer");
        }
    }
}
