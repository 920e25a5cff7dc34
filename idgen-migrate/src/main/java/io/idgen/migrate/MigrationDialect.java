package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What only one kind of database knows about migrations. */
interface MigrationDialect {

    /** Reads the way of a column from INT to BIGINT. */
    Path widening(Session session, SqlName column) throws SQLException;

    /** Reads the way of a column from automatic numbers to ids before the insert. */
    Path beforeInsert(Session session, SqlName column) throws SQLException;

    /** The statement that limits how long the statements of a transaction wait for a lock. */
    String lockTimeout(Duration longest);

    /** The statements of a transaction as they are sent, so that it holds its locks for a short time. */
    List<String> roundTrips(List<String> sql);

    /** Whether a statement has not got its locks in time, or was the victim of a deadlock. */
    boolean isLockTimeout(SQLException e);

    /** How replicas show how far behind they are. */
    Replicas.Positions positions();

    /** Returns the dialect of a database. */
    static MigrationDialect of(Session session) throws SQLException {
        String product = session.product();
        if (product.startsWith("PostgreSQL")) {
            // a step may take hours, whatever the defaults of the user; those that lock have a limit of their own
            session.execute("SET statement_timeout = 0");
            session.execute("SET lock_timeout = 0");
            return new PostgreSql();
        }
        if (product.startsWith("MySQL") || product.contains("MariaDB")) {
            // a copy keeps an id 0 and an odd date; the format of names and statements does not depend on the server
            session.execute("SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION',"
                    + " sql_quote_show_create = 1");
            return new MySql(product.contains("MariaDB"));
        }
        throw new IllegalArgumentException("idgen migrate knows PostgreSQL, MariaDB and MySQL, and not " + product
                + "; docs/adopting.md has the statements for other databases");
    }
}
