package io.idgen.spring.r2dbc.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without JDBC of its own. */
@SpringBootApplication
public class Shop {}
