package io.idgen.examples.springboot;

import io.idgen.examples.warehouse.WarehouseDatabase;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** Starts the shop on port 8080. */
@SpringBootApplication
@Import(WarehouseDatabase.class)
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
