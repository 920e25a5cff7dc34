package io.idgen.spring.boot.tickets;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Tickets extends ReactiveCrudRepository<Ticket, String> {}
