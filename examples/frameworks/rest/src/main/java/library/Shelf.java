package library;

import io.idgen.text.IdAsString;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Shelf {
    private final Books books;

    Shelf(Books books) {
        this.books = books;
    }

    @GetMapping("/books/{id}")
    Book book(@PathVariable @IdAsString long id) {
        return books.findById(id).orElseThrow();
    }
}
