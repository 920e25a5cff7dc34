package library;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Books {
    private final EntityManager entities;

    Books(EntityManager entities) {
        this.entities = entities;
    }

    @Transactional
    public Book add(String title) {
        Book book = new Book();
        book.setTitle(title);
        entities.persist(book);
        return book;
    }
}
