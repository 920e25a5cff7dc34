package io.idgen.framework.quarkus;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

/** Books in JTA transactions. */
@ApplicationScoped
public class Books {
    @Inject
    EntityManager entities;

    /** Inserts a book. */
    @Transactional
    public Book add() {
        Book book = new Book();
        entities.persist(book);
        return book;
    }

    /** Inserts a page. */
    @Transactional
    public Page addPage() {
        Page page = new Page();
        entities.persist(page);
        return page;
    }

    /** Returns how many worker ids are leased. */
    @Transactional
    public long leases() {
        return ((Number) entities.createNativeQuery("SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL")
                        .getSingleResult())
                .longValue();
    }
}
