package io.idgen.core.config;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A table that a source needs, for a framework that makes the schema of an application.
 *
 * @param name as the source's statements call it, with its schema if it has one; two tables of one name are the same
 *     table
 * @param ddl gives the statements that create the table on a kind of database, which it gets by name: {@code
 *     postgresql}, {@code mysql}, {@code mariadb}, {@code h2} or {@code hsqldb}. The statements have no semicolon at
 *     their end and may run again on a database that has the table: they change nothing then. It gives none for a
 *     database that it does not know
 */
public record SourceTable(String name, Function<String, List<String>> ddl) {

    /** Checks the values. */
    public SourceTable {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(ddl, "ddl");
    }
}
