package io.idgen.framework.jpa;

import io.idgen.core.IdSource;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An invoice, whose id is set before it is persisted. */
@Entity
public class Invoice {
    @Id
    private long id;

    @Column
    private String customer;

    /** Called by the persistence provider. */
    protected Invoice() {}

    /** Creates an invoice with a new id. */
    public Invoice(IdSource ids, String customer) {
        this.id = ids.nextId();
        this.customer = customer;
    }

    long id() {
        return id;
    }

    String customer() {
        return customer;
    }
}
