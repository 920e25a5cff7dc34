package io.idgen.jdbc.testing;

import java.util.function.Consumer;
import javax.sql.DataSource;

/** A test's own database; closing it drops it. */
public final class Database implements AutoCloseable {
    private final TestDatabase kind;
    private final DataSource dataSource;
    private final String plainUrl;
    private final String url;
    private final String user;
    private final String password;
    private final Consumer<Database> drop;
    private volatile boolean urlIsKnown;

    Database(
            TestDatabase kind,
            DataSource dataSource,
            String plainUrl,
            String url,
            String user,
            String password,
            Consumer<Database> drop) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.plainUrl = plainUrl;
        this.url = url;
        this.user = user;
        this.password = password;
        this.drop = drop;
    }

    /** The kind of this database. */
    public TestDatabase kind() {
        return kind;
    }

    /**
     * A data source without a limit. It opens a new connection for each request, except on PostgreSQL, where a connection
     * may be one that was closed.
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The JDBC URL with user and password inside. */
    public String url() {
        urlIsKnown = true;
        return url;
    }

    /** The JDBC URL without user and password. */
    public String plainUrl() {
        urlIsKnown = true;
        return plainUrl;
    }

    /** The user that may log in. */
    public String user() {
        return user;
    }

    /** The password of that user. Logins with any other password fail. */
    public String password() {
        return password;
    }

    /** Whether others may still open connections to this database, because the test has asked for the URL. */
    boolean urlIsKnown() {
        return urlIsKnown;
    }

    @Override
    public void close() {
        drop.accept(this);
    }

    @Override
    public String toString() {
        return kind + " " + plainUrl;
    }
}
