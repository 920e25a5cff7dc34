package io.idgen.jdbc.internal.connection;

import org.jspecify.annotations.Nullable;

/**
 * Where the application's tables are in its database. idgen's tables are there, too, unless a setting says otherwise.
 *
 * @param name the schema, as it is written in statements; null if it is the default one of the connections
 * @param hasTenants whether each tenant has its own schema or database, so that no single table contains the largest id
 */
public record ApplicationSchema(@Nullable String name, boolean hasTenants) {}
