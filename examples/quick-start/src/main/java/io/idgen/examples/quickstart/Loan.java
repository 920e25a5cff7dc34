package io.idgen.examples.quickstart;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** An entity with ids from a sequence, as it was before idgen. */
@Entity
public class Loan {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    private Long id;

    /** Creates a loan without an id. */
    public Loan() {}

    /**
     * Returns the id.
     *
     * @return the id; null before {@code persist()}
     */
    public Long getId() {
        return id;
    }
}
