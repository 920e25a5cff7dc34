package io.idgen.framework.boot;

import org.springframework.data.jpa.repository.JpaRepository;

/** Books by their id. */
public interface BookRepository extends JpaRepository<Book, Long> {}
