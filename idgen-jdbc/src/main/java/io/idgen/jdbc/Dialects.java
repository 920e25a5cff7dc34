package io.idgen.jdbc;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The dialects that are known, and which of them a database speaks. */
final class Dialects {
    private static final List<Dialect> KNOWN = List.of(new H2Dialect(), new PostgreSqlDialect());

    private Dialects() {}

    /**
     * The dialect of a connection's database.
     *
     * @throws ConfigurationException if none is known for it
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return KNOWN.stream()
                .filter(dialect -> dialect.speaks(product))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNKNOWN_DATABASE,
                        "no dialect for the database '" + product + "'; known are "
                                + KNOWN.stream().map(Dialect::name).collect(Collectors.joining(", "))));
    }
}
