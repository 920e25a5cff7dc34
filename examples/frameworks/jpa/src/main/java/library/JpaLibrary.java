package library;

import io.idgen.core.config.IdSources;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.util.Map;
import org.apache.openjpa.persistence.PersistenceProviderImpl;
import org.eclipse.persistence.jpa.PersistenceProvider;

public class JpaLibrary {

    public static void main(String[] args) {
        String url = "jdbc:h2:mem:library;DB_CLOSE_DELAY=-1";
        Map<String, String> connection =
                Map.of("jakarta.persistence.jdbc.driver", "org.h2.Driver", "jakarta.persistence.jdbc.url", url);
        PersistenceConfiguration configuration = new PersistenceConfiguration("eclipselink")
                .managedClass(Book.class)
                .properties(connection)
                .property(PersistenceConfiguration.SCHEMAGEN_DATABASE_ACTION, "create");
        try (IdSources ids = IdSources.builder()
                        .set("idgen.jdbc.url", url)
                        .source("Book")
                        .build();
                EntityManagerFactory eclipseLink = new PersistenceProvider().createEntityManagerFactory(configuration);
                EntityManagerFactory openJpa = new PersistenceProviderImpl()
                        .createEntityManagerFactory("openjpa", "openjpa.xml", connection)) {
            persist(eclipseLink, new Book(ids.get("Book"), "Middlemarch"));
            persist(openJpa, new Book(ids.get("Book"), "Emma"));
        }
    }

    private static void persist(EntityManagerFactory factory, Book book) {
        try (EntityManager entities = factory.createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(book);
            entities.getTransaction().commit();
            System.out.println(factory.getClass().getPackageName() + " saved book " + book.getId());
        }
    }
}
