package io.idgen.spring.r2dbc.shop;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Customers extends ReactiveCrudRepository<Customer, Long> {}
