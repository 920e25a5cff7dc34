package io.idgen.spring.boot.receipts;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate with its id from the constructor, without the base class.
 *
 * @param id its id
 * @param customer who has paid
 */
@Table
public record PlainReceipt(@Id long id, String customer) {}
