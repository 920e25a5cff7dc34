package io.idgen.examples.withouthibernate.springdata;

import org.springframework.data.annotation.Id;

/**
 * A line inside an order. Callbacks of Spring Data do not reach it, so it is created with its id.
 *
 * @param id its id
 * @param product what is ordered
 * @param quantity how many
 */
public record OrderLine(@Id long id, String product, int quantity) {}
