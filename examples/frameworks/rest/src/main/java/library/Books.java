package library;

import org.springframework.data.jpa.repository.JpaRepository;

public interface Books extends JpaRepository<Book, Long> {}
