package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source that creates missing tables of idgen before its first connection. */
public abstract class SchemaFirst extends PlainDataSource {
    private final DataSource dataSource;

    /** Ensures the schema before each connection. */
    protected SchemaFirst(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        ensure();
        return dataSource.getConnection();
    }

    /** Creates missing tables if the settings let it. Does nothing if it knows that they are there. */
    public abstract void ensure();

    /** Forgets that the tables are there. */
    public abstract void forget();

    /** Returns whether rows may disappear while this process runs, as in tests that truncate all tables. */
    public abstract boolean mayLoseRows();

    /** Returns the data source for tables that idgen does not create. */
    public DataSource dataSource() {
        return dataSource;
    }
}
