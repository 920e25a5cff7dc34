package io.idgen.jdbc.internal.dialect;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.text.Characters;
import io.idgen.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dialects that are known, and which of them a database speaks. */
public final class Dialects {
    private static final List<Dialect> KNOWN = List.of(
            new PostgreSqlDialect(),
            new MariaDbDialect(),
            new MySqlDialect(),
            new H2Dialect(),
            new SqliteDialect(),
            new HsqldbDialect(),
            new DerbyDialect(),
            new OracleDialect(),
            new SqlServerDialect());

    private Dialects() {}

    /**
     * The dialect of a connection's database: an application's own, else one of idgen's.
     *
     * @throws ConfigurationException if none is known for it
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
     * The dialect of a name.
     *
     * @throws IllegalArgumentException if none is called so
     */
    public static Dialect named(String name) {
        return all().filter(dialect -> dialect.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a database is one of " + String.join(", ", names())
                        + ", got '" + Characters.line(name) + "'"));
    }

    /**
     * The dialect of the database that a JDBC URL leads to, as far as the URL shows it; empty if none is known for it.
     */
    public static Optional<Dialect> ofUrl(String url) {
        return all().filter(dialect -> dialect.takes(url)).findFirst();
    }

    /**
     * The dialect that Hibernate knows by a class or one of its superclasses, the nearest first; empty for a database
     * whose tables Hibernate does not make.
     */
    public static Optional<Dialect> ofHibernate(Class<?> hibernateDialect) {
        return Stream.<@Nullable Class<?>>iterate(hibernateDialect, Objects::nonNull, Class::getSuperclass)
                .flatMap(type ->
                        all().filter(dialect -> dialect.hibernateDialect().equals(Optional.of(type.getName()))))
                .findFirst();
    }

    /** The names of all. */
    public static List<String> names() {
        return all().map(Dialect::name).toList();
    }

    /** Looked up with the loader of this class: an application's dialects lie beside idgen. */
    private static Stream<Dialect> all() {
        return Stream.concat(
                ServiceLoader.load(Dialect.class, Dialects.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get),
                KNOWN.stream());
    }
}
