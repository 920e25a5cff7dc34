package io.idgen.examples.warehouse;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An item in the warehouse. */
@Entity
public class Item {
    @Id
    @SnowflakeId
    private Long id;

    private String product;

    /** Called by Hibernate and Jackson. */
    protected Item() {}

    /**
     * Returns the id.
     *
     * @return null before the item is saved
     */
    public Long getId() {
        return id;
    }

    /**
     * Returns what it is.
     *
     * @return the product's name
     */
    public String getProduct() {
        return product;
    }

    /**
     * Sets what it is.
     *
     * @param product the product's name
     */
    public void setProduct(String product) {
        this.product = product;
    }
}
