package io.idgen.spring.boot.receipts;

import io.idgen.core.IdSource;
import io.idgen.spring.data.AssignedIdEntity;
import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.Table;

/** An aggregate with its id from the constructor. */
@Table
public class Receipt extends AssignedIdEntity {
    private @Nullable String customer;

    /** Called by Spring Data. */
    protected Receipt() {}

    /**
     * Creates a receipt that is not saved yet.
     *
     * @param ids the source of its id
     * @param customer who has paid
     */
    public Receipt(IdSource ids, String customer) {
        super(ids.nextId());
        this.customer = customer;
    }

    /**
     * Changes who has paid.
     *
     * @param newCustomer who has paid
     */
    public void setCustomer(String newCustomer) {
        this.customer = newCustomer;
    }

    /**
     * Returns who has paid.
     *
     * @return the customer
     */
    public @Nullable String getCustomer() {
        return customer;
    }
}
