package io.idgen.examples.withouthibernate.mybatisplus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import org.jspecify.annotations.Nullable;

/** A line of an order. */
public class OrderLine {
    @TableId(type = IdType.ASSIGN_ID)
    private @Nullable Long id;

    private @Nullable Long customerOrder;
    private @Nullable String product;
    private int quantity;

    /** Called by MyBatis. */
    protected OrderLine() {}

    /**
     * Creates a line that is not saved yet.
     *
     * @param order its order, which has its id
     * @param product what is ordered
     * @param quantity how many
     */
    public OrderLine(CustomerOrder order, String product, int quantity) {
        this.customerOrder = order.getId();
        this.product = product;
        this.quantity = quantity;
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
     * Returns the order.
     *
     * @return the id of the order
     */
    public @Nullable Long getCustomerOrder() {
        return customerOrder;
    }

    /**
     * Returns what is ordered.
     *
     * @return the product's name
     */
    public @Nullable String getProduct() {
        return product;
    }

    /**
     * Returns how many are ordered.
     *
     * @return the quantity
     */
    public int getQuantity() {
        return quantity;
    }
}
