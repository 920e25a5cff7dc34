package io.idgen.examples.springboot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The orders. */
public interface Orders extends JpaRepository<CustomerOrder, Long> {}
