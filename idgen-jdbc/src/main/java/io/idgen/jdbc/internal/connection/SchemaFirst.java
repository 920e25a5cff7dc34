package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source whose database is seen to have the tables of idgen before it gives its first connection. */
public final class SchemaFirst extends PlainDataSource {
    private final DataSource dataSource;
    private final Runnable schema;

    /** Before each connection {@code schema} is run, which does nothing but the first time. */
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

    @Override
    public String toString() {
        return dataSource.toString();
    }
}
