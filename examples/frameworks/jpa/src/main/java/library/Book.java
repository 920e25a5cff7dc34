package library;

import io.idgen.core.IdSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Book {
    @Id
    private long id;

    private String title;

    protected Book() {}

    public Book(IdSource ids, String title) {
        this.id = ids.nextId();
        this.title = title;
    }

    public long getId() {
        return id;
    }
}
