package io.idgen.spring.boot.shop;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** An entity. */
@Entity
public class Book {
    @Id
    @SnowflakeId
    private @Nullable Long id;

    private @Nullable String title;

    /** Called by Hibernate. */
    protected Book() {}

    /**
     * Creates a book that is not saved yet.
     *
     * @param title its title
     */
    public Book(String title) {
        this.title = title;
    }

    /**
     * Returns its id.
     *
     * @return null before it is saved
     */
    public @Nullable Long id() {
        return id;
    }

    /**
     * Returns its title.
     *
     * @return the title
     */
    public @Nullable String title() {
        return title;
    }
}
