package io.idgen.spring.boot.invoices;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Invoices with ids from the constructor. */
@SpringBootApplication
public class Invoicing {
    /** Called by Spring. */
    public Invoicing() {}
}
