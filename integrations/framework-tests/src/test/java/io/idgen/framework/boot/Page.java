package io.idgen.framework.boot;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** A page of a book. */
@Entity
public class Page {
    @Id
    @SnowflakeId
    private Long id;

    private int pageNumber;

    @ManyToOne
    private Book book;

    /** Called by Hibernate. */
    protected Page() {}

    Page(Book book, int number) {
        this.book = book;
        this.pageNumber = number;
    }
}
