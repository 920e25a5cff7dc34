package library;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@QuarkusTest
class QuarkusLibraryTest {
    @Inject
    Books books;

    @Test
    void booksHaveIds() {
        Book first = books.add("Middlemarch");
        Book second = books.add("Adam Bede");

        assertTrue(first.getId() < second.getId());
        System.out.println("saved book " + first.getId());
    }
}
