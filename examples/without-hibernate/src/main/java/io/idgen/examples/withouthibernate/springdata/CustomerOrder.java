package io.idgen.examples.withouthibernate.springdata;

import io.idgen.spring.data.FromIdSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An order: the root of an aggregate.
 *
 * @param id null before it is saved
 * @param customer who orders
 * @param lines what is ordered
 */
@Table
public record CustomerOrder(@Id @FromIdSource @Nullable Long id, String customer, Set<OrderLine> lines) {}
