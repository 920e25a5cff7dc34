package io.idgen.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the shop on port 8080. */
@SpringBootApplication
public class ShopApplication {

    /** Called by Spring. */
    public ShopApplication() {}

    /**
     * Starts the application.
     *
     * @param args settings, for example {@code --idgen.strategy=segment}
     */
    public static void main(String... args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
