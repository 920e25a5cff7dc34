package io.idgen.spring.data;

import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PostPersist;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;

/**
 * Base class of entities that receive their id in the constructor, for Spring Data JPA and Spring Data JDBC. {@code
 * save} of a new entity sends one INSERT. Without this class, Spring Data takes an entity with an id for an existing
 * row: JPA sends a SELECT before the INSERT, and JDBC only an UPDATE, which finds no row.
 *
 * <pre>{@code
 * @Entity
 * public class Invoice extends AssignedIdEntity {
 *     protected Invoice() {}
 *
 *     public Invoice(IdSource ids) {
 *         super(ids.nextId());
 *     }
 * }
 * }</pre>
 *
 * <p>Spring Data JDBC also needs {@link AssignedIdCallback} as a bean, which the starter registers. In an application
 * with both, Spring Data JPA takes the repositories of all subclasses for its own: give each its packages, by {@code
 * @EnableJpaRepositories} and {@code @EnableJdbcRepositories}. If the transaction of
 * the INSERT rolls back, the entity still counts as saved; create a new one. Not safe for several threads. Does no I/O.
 */
@MappedSuperclass
public abstract class AssignedIdEntity implements Persistable<Long> {
    @Id
    @jakarta.persistence.Id
    private @Nullable Long id;

    @Transient
    @jakarta.persistence.Transient
    private boolean isNew;

    /** Called by Hibernate and Spring Data, which set the id of an existing row. */
    protected AssignedIdEntity() {}

    /**
     * Creates a new entity.
     *
     * @param id from an {@code IdSource}, above 0
     * @throws IllegalArgumentException if the id is below 1
     */
    protected AssignedIdEntity(long id) {
        if (id < 1) {
            throw new IllegalArgumentException("an id is at least 1, got " + id + "; pass IdSource.nextId()");
        }
        this.id = id;
        this.isNew = true;
    }

    /**
     * Returns the id.
     *
     * @return null only while Hibernate or Spring Data loads the entity
     */
    @Override
    public @Nullable Long getId() {
        return id;
    }

    /**
     * Returns whether {@code save} inserts the entity.
     *
     * @return true from the constructor until the INSERT
     */
    @Override
    @Transient
    @jakarta.persistence.Transient
    public boolean isNew() {
        return isNew;
    }

    @PostPersist
    void markSaved() {
        isNew = false;
    }
}
