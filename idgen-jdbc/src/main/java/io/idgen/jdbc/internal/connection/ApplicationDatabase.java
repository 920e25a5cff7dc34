package io.idgen.jdbc.internal.connection;

import javax.sql.DataSource;

/**
 * The database that the application's own data is in: where the tables of idgen are looked for when no setting names another.
 *
 * @param dataSource gives connections apart from those that the application's threads hold while they wait for ids
 */
public record ApplicationDatabase(DataSource dataSource) {}
