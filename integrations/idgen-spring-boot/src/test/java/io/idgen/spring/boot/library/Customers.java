package io.idgen.spring.boot.library;

import org.springframework.data.repository.CrudRepository;

/** The customers. */
public interface Customers extends CrudRepository<Customer, Long> {}
