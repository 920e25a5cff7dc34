package library;

import io.micronaut.data.annotation.Repository;
import io.micronaut.data.repository.CrudRepository;

@Repository
public interface Books extends CrudRepository<Book, Long> {}
