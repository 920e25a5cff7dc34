package io.idgen.spring.boot.invoices;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with its id from the constructor, without the base class. */
@Entity
public class PlainInvoice {
    @Id
    private long id;

    /** Called by Hibernate. */
    protected PlainInvoice() {}

    /**
     * Creates an invoice that is not saved yet.
     *
     * @param id its id
     */
    public PlainInvoice(long id) {
        this.id = id;
    }

    /**
     * Returns its id.
     *
     * @return the id
     */
    public long getId() {
        return id;
    }
}
