package io.idgen.examples.quickstart;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;

/** An id that {@code persist()} sets. */
public final class HibernateQuickStart {
    private HibernateQuickStart() {}

    /**
     * Prints the id of a book before it is inserted.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("library");
                EntityManager entities = factory.createEntityManager()) {
            entities.getTransaction().begin();
            Book book = new Book("Middlemarch");
            entities.persist(book);
            System.out.println("before any SQL: " + book.getId());
            entities.getTransaction().commit();
        }
    }
}
