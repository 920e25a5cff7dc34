package io.idgen.spring.boot.shop;

import io.idgen.core.IdSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** Books with ids of idgen, and a source without an entity. */
@SpringBootApplication
public class Shop {

    /** Called by Spring. */
    public Shop() {}

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
