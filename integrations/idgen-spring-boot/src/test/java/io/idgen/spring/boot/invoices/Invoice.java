package io.idgen.spring.boot.invoices;

import io.idgen.core.IdSource;
import io.idgen.spring.data.AssignedIdEntity;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** An entity with its id from the constructor. */
@Entity
public class Invoice extends AssignedIdEntity {
    private @Nullable String customer;

    /** Called by Hibernate. */
    protected Invoice() {}

    /**
     * Creates an invoice that is not saved yet.
     *
     * @param ids the source of its id
     * @param customer who pays
     */
    public Invoice(IdSource ids, String customer) {
        super(ids.nextId());
        this.customer = customer;
    }

    /**
     * Changes who pays.
     *
     * @param newCustomer who pays
     */
    public void setCustomer(String newCustomer) {
        this.customer = newCustomer;
    }

    /**
     * Returns who pays.
     *
     * @return the customer
     */
    public @Nullable String getCustomer() {
        return customer;
    }
}
