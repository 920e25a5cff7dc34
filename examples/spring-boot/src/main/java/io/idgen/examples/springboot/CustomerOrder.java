package io.idgen.examples.springboot;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** An order with its lines. All have their ids before the insert. */
@Entity
public class CustomerOrder {
    @Id
    @SnowflakeId
    private Long id;

    private String customer;

    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.EAGER)
    @JoinColumn(name = "order_id", nullable = false, updatable = false)
    private List<OrderLine> lines = new ArrayList<>();

    /** Called by Hibernate and Jackson. */
    protected CustomerOrder() {}

    /**
     * Returns the id.
     *
     * @return null before the order is saved
     */
    public Long getId() {
        return id;
    }

    /**
     * Returns who ordered.
     *
     * @return the customer's name
     */
    public String getCustomer() {
        return customer;
    }

    /**
     * Sets who ordered.
     *
     * @param customer the customer's name
     */
    public void setCustomer(String customer) {
        this.customer = customer;
    }

    /**
     * Returns what was ordered.
     *
     * @return the lines
     */
    public List<OrderLine> getLines() {
        return lines;
    }
}
