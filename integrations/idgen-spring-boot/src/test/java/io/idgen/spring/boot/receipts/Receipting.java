package io.idgen.spring.boot.receipts;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Receipts with ids from the constructor. */
@SpringBootApplication
public class Receipting {
    /** Called by Spring. */
    public Receipting() {}
}
