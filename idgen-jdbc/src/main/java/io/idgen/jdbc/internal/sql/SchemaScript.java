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
 * A script of idgen's for one kind of database.
 *
 * @param text as it stands in the jar, with the names that all tables have where nothing else is said
 */
public record SchemaScript(String text) {
    private static final Pattern STATEMENT_END = Pattern.compile(";\\s*(\\n|$)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^--.*\\R");

    /** What the names of all tables begin with in the scripts: {@value}. */
    public static final String PREFIX = "idgen_";

    private static final String WORKER = PREFIX + "worker";

    /**
     * Reads a script.
     *
     * @param owner a class of the jar that has it: an application's own dialect brings its own
     * @param database a dialect's name
     * @param name {@code create} or {@code drop}
     * @return the script
     */
    public static SchemaScript of(Class<?> owner, String database, String name) {
        String path = "/idgen/schema/" + database + "/" + name + ".sql";
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(path), path)) {
            return new SchemaScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    /**
     * The script that makes the tables, of a database that idgen knows by itself.
     *
     * @param database for example {@code postgresql}
     * @return the script
     */
    public static SchemaScript create(String database) {
        return of(SchemaScript.class, database, "create");
    }

    /**
     * Its statements one by one.
     *
     * @return without comments and semicolons
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
     * @return those that make it, and the rows that it begins with
     */
    public List<String> statementsFor(String table, String called) {
        return statements().stream()
                .filter(statement -> statement.contains(table) || isClock(statement, table))
                .map(statement -> statement.replace(table, called))
                .toList();
    }

    /** Derby's, which is no table and which the worker ids alone need. */
    private static boolean isClock(String statement, String table) {
        return table.equals(WORKER) && !statement.contains(PREFIX);
    }

    /**
     * Reads a script of a dialect's, from the jar that has the dialect.
     *
     * @param dialect of the database
     * @param name {@code create} or {@code drop}
     * @return the script
     */
    public static SchemaScript of(Dialect dialect, String name) {
        return of(dialect.getClass(), dialect.name(), name);
    }

    /**
     * The statements for one table, under another name.
     *
     * @param dialect of the database
     * @param table its name in the script
     * @param called its name in the database
     * @return statements that end in semicolons
     */
    public static String createTable(Dialect dialect, String table, SqlName called) {
        return of(dialect, "create").statementsFor(table, called.toString()).stream()
                .map(statement -> statement + ";\n")
                .collect(Collectors.joining());
    }
}
