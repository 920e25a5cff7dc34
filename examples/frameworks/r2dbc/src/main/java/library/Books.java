package library;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Books extends ReactiveCrudRepository<Book, Long> {}
