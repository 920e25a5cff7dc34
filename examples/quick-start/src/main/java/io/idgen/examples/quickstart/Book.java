package io.idgen.examples.quickstart;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity of one's own: the annotation is all that it takes. */
@Entity
public class Book {
    @Id
    @SnowflakeId
    private Long id;

    private String title;

    /** For Hibernate. */
    protected Book() {}

    /**
     * A book without an id yet.
     *
     * @param title its title
     */
    public Book(String title) {
        this.title = title;
    }

    /**
     * The id, from {@code persist()} on.
     *
     * @return null before
     */
    public Long getId() {
        return id;
    }

    /**
     * The title.
     *
     * @return the title
     */
    public String getTitle() {
        return title;
    }
}
