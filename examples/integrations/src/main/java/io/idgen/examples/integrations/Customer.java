package io.idgen.examples.integrations;

import io.idgen.text.PublicId;

/**
 * A customer as JSON, without the number in the database.
 *
 * @param id its id
 * @param name of the customer
 */
public record Customer(@PublicId long id, String name) {}
