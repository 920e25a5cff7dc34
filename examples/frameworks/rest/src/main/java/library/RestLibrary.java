package library;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class RestLibrary {

    public static void main(String[] args) throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(RestLibrary.class, args)) {
            String server = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            long id = context.getBean(Books.class).save(new Book("Middlemarch")).getId();

            String book = get(server + "/books/" + id);
            expect(book, "\"id\":\"" + id + "\"");
            String contract = get(server + "/v3/api-docs");
            expect(contract, "\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"");
            expect(contract, "\"properties\":{\"id\":{\"type\":\"string\"");
            System.out.println("read book " + id + ": " + book);
        }
    }

    private static String get(String url) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    private static void expect(String json, String part) {
        if (!json.contains(part)) {
            throw new IllegalStateException("expected " + part + " in " + json);
        }
    }
}
