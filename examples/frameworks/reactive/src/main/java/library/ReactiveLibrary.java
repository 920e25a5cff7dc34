package library;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import org.hibernate.reactive.stage.Stage;

public class ReactiveLibrary {

    public static void main(String[] args) throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                        "library", Map.of("jakarta.persistence.jdbc.url", url(server)))) {
            Book book = new Book("Middlemarch");
            factory.unwrap(Stage.SessionFactory.class)
                    .withTransaction(session -> session.persist(book))
                    .toCompletableFuture()
                    .join();
            System.out.println("saved book " + book.getId());
        }
    }

    private static String url(EmbeddedPostgres server) {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    }
}
