package io.idgen.spring.r2dbc.shop;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Tickets extends ReactiveCrudRepository<Ticket, String> {}
