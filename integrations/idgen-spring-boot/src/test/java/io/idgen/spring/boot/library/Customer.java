package io.idgen.spring.boot.library;

import io.idgen.spring.data.FromIdSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate.
 *
 * @param id null before it is saved
 * @param name its name
 */
@Table
public record Customer(@Id @FromIdSource @Nullable Long id, String name) {}
