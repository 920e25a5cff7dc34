package io.idgen.spring.boot.processed;

import org.springframework.data.jpa.repository.JpaRepository;

/** The letters. */
public interface Letters extends JpaRepository<Letter, Long> {}
