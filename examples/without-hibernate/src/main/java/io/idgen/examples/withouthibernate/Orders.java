package io.idgen.examples.withouthibernate;

/** Places orders. */
@FunctionalInterface
public interface Orders {
    /**
     * Saves an order and its lines in one transaction.
     *
     * @param order the order
     * @return its id
     */
    long place(NewOrder order);
}
