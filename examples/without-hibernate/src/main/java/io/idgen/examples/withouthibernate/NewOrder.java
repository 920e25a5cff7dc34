package io.idgen.examples.withouthibernate;

import java.util.List;

/**
 * An order that has no id yet.
 *
 * @param customer who orders
 * @param lines what is ordered
 */
public record NewOrder(String customer, List<NewLine> lines) {
    /**
     * A line that has no id yet.
     *
     * @param product what is ordered
     * @param quantity how many, at least 1
     */
    public record NewLine(String product, int quantity) {}
}
