package io.idgen.jdbc.testing;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.derby.client.BasicClientDataSource;
import org.apache.derby.drda.NetworkServerControl;
import org.apache.derby.jdbc.EmbeddedDataSource;

/** Derby in this process, without its log file in the working directory. */
public final class DerbyEngine {
    private static final String USER = "idgen_test";
    private static final String PASSWORD = "derby-secret";
    private static final String CREDENTIALS = ";user=" + USER + ";password=" + PASSWORD;
    private static final String DROPPED = "08006";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** Derby sleeps for half a second when it drops a database; no test waits for that. */
    private static final ExecutorService DROPPING = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "derby-drop");
        thread.setDaemon(true);
        return thread;
    });

    static {
        System.setProperty("derby.stream.error.method", DerbyEngine.class.getName() + ".log");
    }

    private DerbyEngine() {}

    /** Discards Derby's log. Derby finds this method by its name. */
    public static OutputStream log() {
        return OutputStream.nullOutputStream();
    }

    static Database create(String name) {
        createInMemory(name);
        EmbeddedDataSource dataSource = new EmbeddedDataSource();
        dataSource.setDatabaseName("memory:" + name);
        dataSource.setUser(USER);
        dataSource.setPassword(PASSWORD);
        return database(name, dataSource, "jdbc:derby:memory:" + name);
    }

    static Database createShared(String name) {
        createInMemory(name);
        int port = Network.PORT;
        BasicClientDataSource dataSource = new BasicClientDataSource();
        dataSource.setServerName("localhost");
        dataSource.setPortNumber(port);
        dataSource.setDatabaseName("memory:" + name);
        dataSource.setUser(USER);
        dataSource.setPassword(PASSWORD);
        return database(name, dataSource, "jdbc:derby://localhost:" + port + "/memory:" + name);
    }

    private static Database database(String name, DataSource dataSource, String url) {
        return new Database(
                TestDatabase.DERBY,
                dataSource,
                url,
                url + CREDENTIALS,
                USER,
                PASSWORD,
                () -> DROPPING.execute(() -> end("jdbc:derby:memory:" + name + ";drop=true" + CREDENTIALS)));
    }

    /** Creates a database with one user. Derby requires a login from the next start of the database on. */
    private static void createInMemory(String name) {
        String url = "jdbc:derby:memory:" + name;
        TestDatabase.execute(
                url + ";create=true" + CREDENTIALS,
                "CALL SYSCS_UTIL.SYSCS_CREATE_USER('" + USER + "', '" + PASSWORD + "')");
        end(url + ";shutdown=true" + CREDENTIALS);
    }

    /** Derby reports the shutdown of a database by an exception. */
    private static void end(String url) {
        try {
            DriverManager.getConnection(url).close();
        } catch (SQLException e) {
            if (!DROPPED.equals(e.getSQLState())) {
                throw new IllegalStateException("the test database does not end", e);
            }
        }
    }

    /** Gives other processes access to the databases in the memory of this process; ends with it. */
    private static final class Network {
        static final int PORT = start();

        private static int start() {
            int port = FreePort.find();
            try {
                NetworkServerControl server =
                        new NetworkServerControl(InetAddress.getByName("localhost"), port, USER, PASSWORD);
                server.start(new PrintWriter(OutputStream.nullOutputStream(), true));
                awaitAnswer(server);
            } catch (Exception e) { // NetworkServerControl declares it
                throw new IllegalStateException("the server of Derby did not come up", e);
            }
            return port;
        }

        private static void awaitAnswer(NetworkServerControl server) throws Exception {
            long deadline = System.nanoTime() + START_LIMIT.toNanos();
            while (true) {
                try {
                    server.ping();
                    return;
                } catch (Exception e) { // NetworkServerControl declares it
                    if (System.nanoTime() > deadline) {
                        throw e;
                    }
                    LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                }
            }
        }
    }
}
