package io.idgen.jdbc.internal.connection;

import javax.sql.DataSource;

/** Names a data source in logs and errors, without its settings: those of some pools contain users and passwords. */
public final class DataSourceText {
    private DataSourceText() {}

    /**
     * Returns a name that a person recognises.
     *
     * @param dataSource any data source
     * @return the address of idgen's own connections, the name of a HikariCP pool, or the class of any other
     */
    public static String of(DataSource dataSource) {
        if (dataSource instanceof PlainDataSource own) {
            return own.toString();
        }
        try {
            String pool = HikariPool.nameOf(dataSource);
            if (pool != null) {
                return pool;
            }
        } catch (NoClassDefFoundError e) {
            return ofClass(dataSource); // HikariCP is not on the class path
        }
        return ofClass(dataSource);
    }

    private static String ofClass(DataSource dataSource) {
        return "a data source of type " + dataSource.getClass().getName();
    }
}
