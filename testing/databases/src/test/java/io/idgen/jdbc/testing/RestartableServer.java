package io.idgen.jdbc.testing;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A test's own server with one empty database. A test can stop or kill it, and start it again on the same port with the
 * same data.
 */
public final class RestartableServer implements AutoCloseable {
    private static final String DATABASE = "idgen";

    private final ServerProcess process;
    private final DataSource dataSource;
    private final String url;
    private boolean running;

    private RestartableServer(ServerProcess process, DataSource dataSource, String url) {
        this.process = process;
        this.dataSource = dataSource;
        this.url = url;
        this.running = true;
    }

    /** Starts a PostgreSQL server whose commits survive a kill. */
    public static RestartableServer postgreSql() {
        return postgreSql("on");
    }

    /**
     * Starts a PostgreSQL server that loses the commits of the last seconds when it is killed, unless a session
     * prevents this.
     */
    public static RestartableServer postgreSqlThatLosesCommits() {
        return postgreSql("off");
    }

    private static RestartableServer postgreSql(String synchronousCommit) {
        EmbeddedPostgreSql process = new EmbeddedPostgreSql(synchronousCommit);
        process.start();
        String server = "jdbc:postgresql://localhost:" + process.port() + "/";
        String credentials = "?user=" + EmbeddedPostgreSql.USER + "&password=" + EmbeddedPostgreSql.PASSWORD;
        TestDatabase.execute(server + "postgres" + credentials, "CREATE DATABASE " + DATABASE);
        String url = server + DATABASE + credentials;
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        return new RestartableServer(process, dataSource, url);
    }

    /** Starts a MariaDB server that may lose the commits of the last second when it is killed. */
    public static RestartableServer mariaDbThatLosesCommits() {
        return mariaDb("--innodb-flush-log-at-trx-commit=0");
    }

    /** Starts a MariaDB server with these options; without any, its commits survive a kill. */
    public static RestartableServer mariaDb(String... options) {
        EmbeddedMariaDb process = new EmbeddedMariaDb(options);
        process.start();
        TestDatabase.execute(process.url("mysql"), "CREATE DATABASE " + DATABASE);
        String url = process.url(DATABASE);
        try {
            return new RestartableServer(process, new MariaDbDataSource(url), url);
        } catch (SQLException e) {
            throw new IllegalStateException("the driver refuses its URL", e);
        }
    }

    /** Starts a MySQL server with these options; without any, its commits survive a kill. */
    public static RestartableServer mySql(String... options) {
        RestartableServer server = running(new EmbeddedMySql(options));
        TestDatabase.execute(server.url.replace("/" + DATABASE + "?", "/mysql?"), "CREATE DATABASE " + DATABASE);
        return server;
    }

    /** The ways to copy the data of a MySQL server. */
    public enum Copy {
        /** A copy of the data folder as it is. */
        FOLDER,
        /** A copy of the data folder without {@code auto.cnf}. */
        FOLDER_WITHOUT_AUTO_CNF,
        /** A clone by the plugin {@code mysql_clone}, which must be loaded. */
        CLONE
    }

    /** Starts a server with a copy of this MySQL server's data, and stops this one. */
    public RestartableServer copied(Copy how) {
        EmbeddedMySql original = (EmbeddedMySql) process;
        Path folder = TemporaryFolder.create("idgen-mysql-clone");
        if (how == Copy.CLONE) {
            TestDatabase.execute(url, "CLONE LOCAL DATA DIRECTORY = '" + folder.resolve("data") + "'");
        }
        stop();
        EmbeddedMySql copy = switch (how) {
            case FOLDER -> EmbeddedMySql.of(original.data());
            case FOLDER_WITHOUT_AUTO_CNF -> original.copy();
            case CLONE -> EmbeddedMySql.of(folder.resolve("data"));
        };
        TemporaryFolder.delete(folder);
        return running(copy);
    }

    private static RestartableServer running(EmbeddedMySql process) {
        process.start();
        MysqlDataSource dataSource = new MysqlDataSource();
        dataSource.setUrl(process.url(DATABASE));
        return new RestartableServer(process, dataSource, process.url(DATABASE));
    }

    /** A data source without a pool: it opens a new connection for each request while the server runs. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The JDBC URL with user and password inside. */
    public String url() {
        return url;
    }

    /** The process id of the server's first process. */
    public long pid() {
        return process.pid();
    }

    /** Starts the server; returns when it answers. */
    public void start() {
        if (running) {
            throw new IllegalStateException("it runs");
        }
        process.start();
        running = true;
    }

    /** Stops the server, as an administrator does; returns when it and all its connections have ended. */
    public void stop() {
        process.stop();
        running = false;
    }

    /** Kills the server, as a power failure does; returns when all its processes have ended. */
    public void kill() {
        kill(process);
        running = false;
    }

    static void kill(ServerProcess process) {
        ProcessHandle server = ProcessHandle.of(process.pid()).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .join();
        process.stop(); // closes the files that this process holds open for it
    }

    @Override
    public void close() {
        stop();
        process.delete();
    }
}
