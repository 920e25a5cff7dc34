package io.idgen.framework.quarkus;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The only annotation of idgen that an application needs. */
@Entity
public class Book {
    @Id
    @SnowflakeId
    private Long id;

    /** Returns the id, which is set by {@code persist}. */
    public Long id() {
        return id;
    }
}
