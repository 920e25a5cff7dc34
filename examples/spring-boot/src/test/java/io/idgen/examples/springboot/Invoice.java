package io.idgen.examples.springboot;

import io.idgen.core.IdSource;
import io.idgen.spring.data.AssignedIdEntity;
import jakarta.persistence.Entity;

/** The entity of {@code docs/spring-boot.md} with its id from the constructor. */
@Entity
public class Invoice extends AssignedIdEntity {
    private int cents;

    protected Invoice() {}

    public Invoice(IdSource ids, int cents) {
        super(ids.nextId());
        this.cents = cents;
    }
}
