package io.idgen.spring.boot.processed;

import io.idgen.core.IdSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Saves a letter, and prints its id and an id of another source. */
@SpringBootApplication
public class Processed {
    /** Called by Spring. */
    public Processed() {}

    @Bean
    CommandLineRunner runner(Letters letters, @Qualifier("parcels") IdSource parcels) {
        return args -> System.out.println("saved " + letters.save(new Letter()).id() + ", parcel " + parcels.nextId());
    }

    /**
     * Starts the application.
     *
     * @param args settings
     */
    public static void main(String... args) {
        SpringApplication.run(Processed.class, args).close();
    }
}
