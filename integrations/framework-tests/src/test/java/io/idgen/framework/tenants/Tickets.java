package io.idgen.framework.tenants;

import org.springframework.data.jpa.repository.JpaRepository;

/** The tickets of the current tenant. */
public interface Tickets extends JpaRepository<Ticket, Long> {}
