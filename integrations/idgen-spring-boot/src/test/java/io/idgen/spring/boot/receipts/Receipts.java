package io.idgen.spring.boot.receipts;

import org.springframework.data.repository.CrudRepository;

/** The receipts. */
public interface Receipts extends CrudRepository<Receipt, Long> {}
