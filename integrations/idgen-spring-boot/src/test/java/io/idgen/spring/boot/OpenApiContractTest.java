package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.idgen.spring.boot.counter.Counter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Ids in the OpenAPI contract that springdoc generates, and in a TypeScript client whose types come from it. */
class OpenApiContractTest {
    private static final Path CLIENT = Path.of("src/test/client");

    private static ConfigurableApplicationContext counter;
    private static JsonNode contract;
    private static JsonNode withoutIdgen;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        // first, because swagger-core keeps converters for the life of the JVM
        try (ConfigurableApplicationContext without =
                start("spring.autoconfigure.exclude=" + IdgenOpenApiAutoConfiguration.class.getName())) {
            withoutIdgen = contract(without);
        }
        counter = start("counter.contract=with");
        contract = contract(counter);
    }

    @AfterAll
    static void stop() {
        counter.close();
    }

    private static ConfigurableApplicationContext start(String setting) {
        return new SpringApplicationBuilder(Counter.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=off", setting)
                .run();
    }

    private static String url(ConfigurableApplicationContext application) {
        return "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
    }

    private static JsonNode contract(ConfigurableApplicationContext application)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url(application) + "/v3/api-docs"))
                .build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    private static JsonNode attribute(String name) {
        return contract.at("/components/schemas/Ticket/properties/" + name);
    }

    private static JsonNode parameter(String path) {
        return contract.path("paths").path(path).at("/get/parameters/0/schema");
    }

    private static void assertIsText(JsonNode schema) {
        assertThat(schema).hasToString("{\"type\":\"string\"}");
    }

    private static void assertIsNumber(JsonNode schema) {
        assertThat(schema).hasToString("{\"type\":\"integer\",\"format\":\"int64\"}");
    }

    @Test
    void theTestsRunOnTheVersionThatTheBuildNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("test.spring-boot"));
    }

    @Test
    void attributesThatAreStringsInJsonAreStringsInTheContract() {
        assertIsText(attribute("id"));
        assertIsText(attribute("maybe"));
        assertThat(attribute("next")).hasToString("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
        assertThat(attribute("all")).hasToString("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
        assertThat(attribute("byName"))
                .hasToString("{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}");
    }

    @Test
    void otherNumbersStayNumbers() {
        assertIsNumber(attribute("seats"));
        assertIsNumber(contract.at("/components/schemas/Number/properties/id"));
        assertIsNumber(parameter("/numbers/{id}"));
    }

    @Test
    void parametersWithAnAnnotationAreStringsInTheContract() {
        assertIsText(parameter("/tickets/{id}"));
        assertIsText(parameter("/tickets"));
        assertIsText(parameter("/customers/{id}"));
    }

    @Test
    void aClientInTypeScriptAsksForTheIdThatItReceivedAndRoundsTheNumber() throws Exception {
        Path client = client(contract);

        assertThat(run(client, "npx", "tsc")).isEmpty();
        assertThat(run(client, "node", "client.mjs", url(counter)).strip().split(" "))
                .containsExactly(
                        String.valueOf(Counter.ID),
                        String.valueOf(Counter.ID),
                        String.valueOf(Counter.ID),
                        "382324861541810200", // the number that JavaScript has read
                        "382324861541810200"); // the number that the server receives
    }

    @Test
    void withoutIdgenTheClientDoesNotCompileBecauseTheContractSaysNumber() throws Exception {
        assertThat(run(client(withoutIdgen), "npx", "tsc"))
                .contains("Type 'number' is not assignable to type 'string'");
    }

    /** Generates a client from a contract, in a folder of the build. */
    private static Path client(JsonNode contract) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target/client"));
        for (String file : List.of("package.json", "tsconfig.json", "client.mts")) {
            Files.writeString(folder.resolve(file), Files.readString(CLIENT.resolve(file)));
        }
        Files.writeString(folder.resolve("contract.json"), contract.toString());
        run(folder, "npm", "install", "--silent", "--no-package-lock", "--no-audit", "--no-fund");
        run(folder, "npx", "openapi-typescript", "contract.json", "-o", "contract.d.ts");
        return folder;
    }

    /** Runs a command of npm, which must be installed (apt-get install nodejs npm), and returns what it prints. */
    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return printed;
    }
}
