package io.idgen.jdbc.internal.sql;

import io.idgen.jdbc.dialect.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An SQL script of idgen for one kind of database.
 *
 * @param text the script as in the jar, with the default table names
 */
public record SchemaScript(String text) {
    private static final Pattern STATEMENT_END = Pattern.compile(";\\s*(\\n|$)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^--.*\\R");

    /** The prefix of all table names in the scripts: {@value}. */
    public static final String PREFIX = "idgen_";

    /**
     * Reads the script that creates the tables, which is also the migration of Flyway and Liquibase.
     *
     * @param dialect the dialect of the database, whose jar contains the script
     * @return the script
     */
    public static SchemaScript create(Dialect dialect) {
        return of(dialect.getClass(), "/db/idgen/" + dialect.name() + "/R__idgen_tables.sql");
    }

    /**
     * Reads the script that drops the tables.
     *
     * @param dialect the dialect of the database, whose jar contains the script
     * @return the script
     */
    public static SchemaScript drop(Dialect dialect) {
        return of(dialect.getClass(), "/idgen/schema/" + dialect.name() + "/drop.sql");
    }

    /**
     * Reads the script that creates the functions for writers without idgen.
     *
     * @param dialect the dialect of the database, whose jar contains the script
     * @return the script
     * @throws IllegalArgumentException if there is none for this database
     */
    public static SchemaScript functions(Dialect dialect) {
        String path = "/idgen/schema/" + dialect.name() + "/functions.sql";
        if (dialect.getClass().getResource(path) == null) {
            throw new IllegalArgumentException(
                    "idgen has no SQL functions for " + dialect.name() + "; take the ids in Java there");
        }
        return of(dialect.getClass(), path);
    }

    private static SchemaScript of(Class<?> owner, String path) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(path), path)) {
            return new SchemaScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    /**
     * The statements of the script.
     *
     * @return statements without comments and semicolons
     */
    public List<String> statements() {
        return STATEMENT_END
                .splitAsStream(text)
                .map(statement -> COMMENT.matcher(statement).replaceAll("").strip())
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /**
     * The statements for one table, under another name.
     *
     * @param table its name in the script
     * @param called its name in the database
     * @return the statements that create it and insert its first rows
     */
    public List<String> statementsFor(String table, String called) {
        return statements().stream()
                .filter(statement -> statement.contains(table))
                .map(statement -> statement.replace(table, called))
                .toList();
    }

    /**
     * The statements that create one table, under another name.
     *
     * @param dialect the dialect of the database
     * @param table its name in the script
     * @param called its name in the database
     * @return statements that end in semicolons
     */
    public static String createTable(Dialect dialect, String table, SqlName called) {
        return create(dialect).statementsFor(table, called.toString()).stream()
                .map(statement -> statement + ";\n")
                .collect(Collectors.joining());
    }
}
