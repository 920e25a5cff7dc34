package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source that creates missing tables of idgen before its first connection. */
public final class SchemaFirst extends PlainDataSource {
    private final DataSource dataSource;
    private final Runnable schema;

    /** Runs {@code schema} before each connection; it does nothing after the first time. */
    public SchemaFirst(DataSource dataSource, Runnable schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    @Override
    public Connection getConnection() throws SQLException {
        schema.run();
        return dataSource.getConnection();
    }

    DataSource dataSource() {
        return dataSource;
    }
}
