package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source that creates missing tables of idgen before its first connection. */
public final class SchemaFirst extends PlainDataSource {
    private final DataSource dataSource;
    private final Schema schema;

    /** The schema of idgen's tables. */
    public interface Schema {
        /** Creates missing tables if the settings let it. Does nothing if it knows that they are there. */
        void ensure();

        /** Forgets that the tables are there. */
        void forget();

        /** Returns whether rows may disappear while this process runs, as in tests that truncate all tables. */
        boolean mayLoseRows();
    }

    /** Ensures the schema before each connection. */
    public SchemaFirst(DataSource dataSource, Schema schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    @Override
    public Connection getConnection() throws SQLException {
        schema.ensure();
        return dataSource.getConnection();
    }

    public Schema schema() {
        return schema;
    }

    DataSource dataSource() {
        return dataSource;
    }
}
