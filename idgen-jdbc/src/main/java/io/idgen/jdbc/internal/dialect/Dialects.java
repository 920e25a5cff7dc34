package io.idgen.jdbc.internal.dialect;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Characters;
import io.idgen.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** All known dialects, and the lookup of the dialect of a database. */
public final class Dialects {
    private static final List<Dialect> KNOWN = List.of(
            new PostgreSqlDialect(),
            new MariaDbDialect(),
            new MySqlDialect(),
            new H2Dialect(),
            new SqliteDialect(),
            new HsqldbDialect());

    private Dialects() {}

    /**
     * Returns the dialect of a connection's database. An application's dialects have precedence over idgen's.
     *
     * @throws ConfigurationException if there is no dialect for it
     */
    public static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String product = database.getDatabaseProductName();
        String version = database.getDatabaseProductVersion();
        return all().filter(dialect -> dialect.speaks(product, version))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE,
                        "no dialect for the database '" + Characters.line(product + "', version '" + version)
                                + "'; known are "
                                + String.join(", ", names())
                                + "; for another one, register a class in META-INF/services/"
                                + Dialect.class.getName()));
    }

    /**
     * Returns the dialect with a name.
     *
     * @throws IllegalArgumentException if there is no such dialect
     */
    public static Dialect named(String name) {
        return all().filter(dialect -> dialect.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a database is one of " + String.join(", ", names())
                        + ", got '" + Characters.line(name) + "'"));
    }

    /** Returns the dialect of a JDBC URL, as far as the URL shows the database; empty if there is no dialect for it. */
    public static Optional<Dialect> ofUrl(String url) {
        String start = url.toLowerCase(Locale.ROOT);
        return all().filter(dialect -> start.startsWith("jdbc:" + dialect.name() + ":"))
                .findFirst();
    }

    /** Returns the names of all dialects. */
    public static List<String> names() {
        return all().map(Dialect::name).toList();
    }

    /** Uses the class loader of this class, because an application's dialects are next to idgen. */
    private static Stream<Dialect> all() {
        List<Dialect> all = new ArrayList<>();
        ServiceLoader.load(Dialect.class, Dialects.class.getClassLoader()).forEach(all::add);
        all.addAll(KNOWN);
        return all.stream();
    }
}
