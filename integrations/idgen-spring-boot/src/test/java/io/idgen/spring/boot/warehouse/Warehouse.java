package io.idgen.spring.boot.warehouse;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Items and shelves with ids of idgen. */
@SpringBootApplication
public class Warehouse {
    /** Called by Spring. */
    public Warehouse() {}
}
