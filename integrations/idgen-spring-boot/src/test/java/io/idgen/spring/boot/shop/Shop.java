package io.idgen.spring.boot.shop;

import io.idgen.core.IdSource;
import io.idgen.text.IdAsString;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Books with ids of idgen, and a source without an entity. */
@SpringBootApplication
public class Shop {

    /** Called by Spring. */
    public Shop() {}

    /**
     * A book in JSON.
     *
     * @param id as a string
     * @param title its title
     */
    public record Shown(@IdAsString long id, String title) {}

    /** Shows books over HTTP. */
    @RestController
    static class Shelf {
        private final ObjectProvider<Books> books;

        Shelf(ObjectProvider<Books> books) {
            this.books = books;
        }

        @GetMapping("/books/{id}")
        Shown book(@PathVariable long id) {
            return new Shown(
                    id,
                    String.valueOf(books.getObject().findById(id).orElseThrow().title()));
        }
    }

    /** Uses sources by name. */
    @Component
    public static class Counter {
        private final ObjectProvider<IdSource> parcels;

        Counter(@Qualifier("parcels") ObjectProvider<IdSource> parcels) {
            this.parcels = parcels;
        }

        /**
         * Returns the next id.
         *
         * @return an id of the source 'parcels'
         */
        public long next() {
            return parcels.getObject().nextId();
        }
    }
}
