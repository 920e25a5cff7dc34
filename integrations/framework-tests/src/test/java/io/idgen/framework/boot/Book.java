package io.idgen.framework.boot;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The only annotation of idgen that an application needs. */
@Entity
public class Book {
    @Id
    @SnowflakeId
    private Long id;

    private String title;

    @OneToMany(mappedBy = "book", cascade = CascadeType.ALL)
    private List<Page> pages = new ArrayList<>();

    /** Called by Hibernate. */
    protected Book() {}

    Book(String title, int pages) {
        this.title = title;
        IntStream.rangeClosed(1, pages).forEach(number -> this.pages.add(new Page(this, number)));
    }

    Long id() {
        return id;
    }
}
