package io.idgen.spring.boot.processed;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** An entity. */
@Entity
public class Letter {
    @Id
    @SnowflakeId
    private @Nullable Long id;

    /** Creates a letter that is not saved yet. */
    public Letter() {}

    /**
     * Returns its id.
     *
     * @return null before it is saved
     */
    public @Nullable Long id() {
        return id;
    }
}
