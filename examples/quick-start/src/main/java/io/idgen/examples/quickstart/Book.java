package io.idgen.examples.quickstart;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with {@code @SnowflakeId}; it needs nothing else. */
@Entity
public class Book {
    @Id
    @SnowflakeId
    private Long id;

    private String title;

    /** Called by Hibernate. */
    protected Book() {}

    /**
     * Creates a book without an id.
     *
     * @param title its title
     */
    public Book(String title) {
        this.title = title;
    }

    /**
     * Returns the id.
     *
     * @return the id; null before {@code persist()}
     */
    public Long getId() {
        return id;
    }

    /**
     * Returns the title.
     *
     * @return the title
     */
    public String getTitle() {
        return title;
    }
}
