package io.idgen.spring.boot.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The books. */
public interface Books extends JpaRepository<Book, Long> {}
