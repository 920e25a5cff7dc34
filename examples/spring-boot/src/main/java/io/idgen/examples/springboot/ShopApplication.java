package io.idgen.examples.springboot;

import io.idgen.jackson.IdgenModule;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Starts the shop on port 8080. */
@SpringBootApplication
public class ShopApplication {

    /** Called by Spring. */
    public ShopApplication() {}

    /**
     * Writes the ids of entities as strings, so that JavaScript does not round them.
     *
     * @return a module of Jackson, which Spring Boot uses
     */
    @Bean
    IdgenModule idgenModule() {
        return new IdgenModule();
    }

    /**
     * Starts the application.
     *
     * @param args settings, for example {@code --idgen.strategy=segment}
     */
    public static void main(String... args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
