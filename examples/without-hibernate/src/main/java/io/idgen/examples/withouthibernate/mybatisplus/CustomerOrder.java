package io.idgen.examples.withouthibernate.mybatisplus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import org.jspecify.annotations.Nullable;

/** An order. */
public class CustomerOrder {
    @TableId(type = IdType.ASSIGN_ID)
    private @Nullable Long id;

    private @Nullable String customer;

    /** Called by MyBatis. */
    protected CustomerOrder() {}

    /**
     * Creates an order that is not saved yet.
     *
     * @param customer who orders
     */
    public CustomerOrder(String customer) {
        this.customer = customer;
    }

    /**
     * Returns the id.
     *
     * @return null before the insert
     */
    public @Nullable Long getId() {
        return id;
    }

    /**
     * Returns who orders.
     *
     * @return the customer's name
     */
    public @Nullable String getCustomer() {
        return customer;
    }
}
