package io.idgen.examples.springboot;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A line of an order. */
@Entity
public class OrderLine {
    @Id
    @SnowflakeId
    private Long id;

    private String product;
    private int quantity;

    /** Called by Hibernate and Jackson. */
    protected OrderLine() {}

    /**
     * Returns the id.
     *
     * @return null before the line is saved
     */
    public Long getId() {
        return id;
    }

    /**
     * Returns what was ordered.
     *
     * @return the product's name
     */
    public String getProduct() {
        return product;
    }

    /**
     * Sets what is ordered.
     *
     * @param product the product's name
     */
    public void setProduct(String product) {
        this.product = product;
    }

    /**
     * Returns how many were ordered.
     *
     * @return the quantity
     */
    public int getQuantity() {
        return quantity;
    }

    /**
     * Sets how many are ordered.
     *
     * @param quantity the quantity
     */
    public void setQuantity(int quantity) {
        this.quantity = quantity;
    }
}
