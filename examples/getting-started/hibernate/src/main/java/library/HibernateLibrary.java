package library;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;

public class HibernateLibrary {

    @Entity
    public static class Book {
        @Id
        @SnowflakeId
        private Long id;

        private String title;

        protected Book() {}

        public Book(String title) {
            this.title = title;
        }
    }

    public static void main(String[] args) {
        PersistenceConfiguration library = new PersistenceConfiguration("library")
                .managedClass(Book.class)
                .property("jakarta.persistence.jdbc.url", "jdbc:h2:mem:library")
                .property("hibernate.hbm2ddl.auto", "create")
                .property("hibernate.jdbc.batch_size", "50")
                .property("hibernate.order_inserts", "true");
        try (EntityManagerFactory factory = library.createEntityManagerFactory()) {
            factory.runInTransaction(entities -> {
                Book book = new Book("Middlemarch");
                entities.persist(book);
                System.out.println("before the INSERT: " + book.id);
            });
        }
    }
}
