package io.idgen.spring.boot.invoices;

import org.springframework.data.jpa.repository.JpaRepository;

/** The invoices. */
public interface Invoices extends JpaRepository<Invoice, Long> {}
