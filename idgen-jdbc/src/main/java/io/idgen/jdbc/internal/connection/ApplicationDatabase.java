package io.idgen.jdbc.internal.connection;

import javax.sql.DataSource;

/**
 * The application's database. idgen looks for its tables there if no other database is configured.
 *
 * @param dataSource provides connections other than those that application threads hold while they wait for ids
 */
public record ApplicationDatabase(DataSource dataSource) {}
