package io.idgen.jdbc.internal.connection;

import java.util.function.BiConsumer;
import javax.sql.DataSource;

/**
 * The database that the application's own data is in: where the tables of idgen are looked for when nothing else is said.
 *
 * @param dataSource gives connections apart from those that the application's threads hold while they wait for ids
 * @param expected told of each table that a source will look for there, before any source opens: its name in idgen's scripts,
 *     and the one that it has
 */
public record ApplicationDatabase(DataSource dataSource, BiConsumer<String, String> expected) {}
