package io.idgen.jdbc.internal.connection;

import org.jspecify.annotations.Nullable;

/**
 * Where the application's tables are in its database. idgen's tables are there, too, unless a setting says otherwise.
 *
 * @param name the schema, as it is written in statements; null if it is the default one of the connections
 * @param hasTenants whether each tenant has a schema or a database of its own, so that there is no one table whose
 *     largest id is known
 */
public record ApplicationSchema(@Nullable String name, boolean hasTenants) {}
