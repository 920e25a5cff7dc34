package io.idgen.jdbc.testing;

import javax.sql.DataSource;

/** A test's own database; closing it drops it. */
public final class Database implements AutoCloseable {
    private final TestDatabase kind;
    private final DataSource dataSource;
    private final String plainUrl;
    private final String url;
    private final String user;
    private final String password;
    private final Runnable drop;

    Database(
            TestDatabase kind,
            DataSource dataSource,
            String plainUrl,
            String url,
            String user,
            String password,
            Runnable drop) {
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

    /** A data source without a pool: it opens a new connection for each request. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The JDBC URL with user and password inside. */
    public String url() {
        return url;
    }

    /** The JDBC URL without user and password. */
    public String plainUrl() {
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

    @Override
    public void close() {
        drop.run();
    }

    @Override
    public String toString() {
        return kind + " " + plainUrl;
    }
}
