package io.idgen.spring.boot.tickets;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without JDBC of its own. */
@SpringBootApplication
public class TicketShop {}
