package io.idgen.examples.withouthibernate.springdata;

import org.springframework.data.repository.CrudRepository;

/** The orders. */
public interface CustomerOrders extends CrudRepository<CustomerOrder, Long> {}
