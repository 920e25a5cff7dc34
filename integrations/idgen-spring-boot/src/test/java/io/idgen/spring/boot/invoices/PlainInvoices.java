package io.idgen.spring.boot.invoices;

import org.springframework.data.jpa.repository.JpaRepository;

/** The invoices. */
public interface PlainInvoices extends JpaRepository<PlainInvoice, Long> {}
