package io.idgen.spring.boot.library;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Customers with ids of idgen. */
@SpringBootApplication
public class Library {
    /** Called by Spring. */
    public Library() {}
}
