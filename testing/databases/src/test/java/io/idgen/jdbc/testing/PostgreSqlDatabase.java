package io.idgen.jdbc.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database that one test after another uses, with its sessions. PostgreSQL forks a process for each session and
 * copies 300 files for each database, which takes longer than most tests. Between two uses, sessions are reset and all
 * that the test made is dropped.
 */
final class PostgreSqlDatabase {
    /** Enough for the tests with many threads; a server has 300 sessions. */
    private static final int KEPT_SESSIONS = 16;

    private static final int FIRST_OID_OF_USERS = 16_384;

    /** What the test has changed in this database, apart from what its own user owned. */
    private static final String TRACES = String.join(
            " UNION ALL ",
            "SELECT 'role of ' || classid::regclass FROM pg_shdepend, this WHERE dbid = this.oid"
                    + " OR classid = 'pg_database'::regclass AND objid = this.oid AND deptype <> 'o'",
            "SELECT 'setting' FROM pg_db_role_setting, this WHERE setdatabase = this.oid",
            "SELECT 'privilege' FROM this WHERE datacl IS NOT NULL",
            "SELECT 'session ' || pid FROM pg_stat_activity, this WHERE datid = this.oid AND usename IS NOT NULL"
                    + " AND pid <> ALL (?)",
            "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND oid >= " + FIRST_OID_OF_USERS,
            "SELECT nspname FROM pg_namespace WHERE nspname = 'public'"
                    + " AND nspacl::text <> '{pg_database_owner=UC/pg_database_owner,=U/pg_database_owner}'",
            "SELECT relname FROM pg_class WHERE oid >= " + FIRST_OID_OF_USERS,
            "SELECT proname FROM pg_proc WHERE oid >= " + FIRST_OID_OF_USERS);

    private final String name;
    private final PGSimpleDataSource driver;
    private final Deque<Connection> idle = new ArrayDeque<>();

    PostgreSqlDatabase(String name, PGSimpleDataSource driver) {
        this.name = name;
        this.driver = driver;
    }

    String name() {
        return name;
    }

    /** The use of this database by one test. Its data source provides no connections after the end of the use. */
    Use use() {
        return new Use();
    }

    /** Ends the sessions of the test and drops what it made. Returns whether the database is as good as new. */
    boolean clean() {
        Connection connection = null;
        try {
            connection = session();
            Sql.execute(connection, "SET lock_timeout = 5000");
            Integer[] kept = keptWith(connection);
            query(
                    connection,
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND usename IS NOT NULL AND pid <> ALL (?)",
                    kept);
            Sql.execute(connection, "DROP OWNED BY CURRENT_USER CASCADE");
            List<String> traces = query(
                    connection,
                    "WITH this AS (SELECT oid, datacl FROM pg_database WHERE datname = current_database()) " + TRACES,
                    kept);
            giveBack(connection);
            return traces.isEmpty();
        } catch (SQLException e) {
            end(connection);
            return false;
        }
    }

    /** Ends all sessions that are kept. */
    void endSessions() {
        for (Connection each = next(); each != null; each = next()) {
            end(each);
        }
    }

    private Integer[] keptWith(Connection own) throws SQLException {
        List<Connection> kept;
        synchronized (idle) {
            kept = new ArrayList<>(idle);
        }
        kept.add(own);
        List<Integer> pids = new ArrayList<>();
        for (Connection each : kept) {
            pids.add(each.unwrap(PGConnection.class).getBackendPID());
        }
        return pids.toArray(Integer[]::new);
    }

    private static List<String> query(Connection connection, String sql, Integer[] pids) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("int", pids));
            try (var rows = statement.executeQuery()) {
                List<String> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        }
    }

    private Connection session() throws SQLException {
        for (Connection each = next(); each != null; each = next()) {
            if (each.isValid(5)) {
                return each;
            }
            end(each); // a test has ended its session
        }
        return driver.getConnection();
    }

    private Connection next() {
        synchronized (idle) {
            return idle.poll();
        }
    }

    private void giveBack(Connection session) {
        boolean keep = false;
        try {
            if (!session.isClosed()) {
                if (!session.getAutoCommit()) {
                    session.rollback();
                    session.setAutoCommit(true);
                }
                session.setNetworkTimeout(Runnable::run, 0);
                session.setReadOnly(false);
                Sql.execute(session, "DISCARD ALL");
                session.clearWarnings();
                keep = true;
            }
        } catch (SQLException e) {
            keep = false;
        }
        synchronized (idle) {
            keep = keep && idle.size() < KEPT_SESSIONS && idle.offer(session);
        }
        if (!keep) {
            end(session);
        }
    }

    private static void end(Connection session) {
        try {
            if (session != null) {
                session.close();
            }
        } catch (SQLException e) {
            // it has ended
        }
    }

    /** The use of this database by one test. */
    final class Use {
        private boolean over;

        /** A data source that opens a session only if none is left. */
        DataSource dataSource() {
            return (DataSource) Proxy.newProxyInstance(
                    Use.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                        if (method.getName().equals("getConnection") && arguments == null) {
                            return borrow();
                        }
                        return isOfObject(method)
                                ? ofObject(self, method, arguments)
                                : forward(driver, method, arguments);
                    });
        }

        /** Ends this use; its connections are ended when they are closed. Returns false if it has ended before. */
        synchronized boolean end() {
            boolean first = !over;
            over = true;
            return first;
        }

        private synchronized boolean isOver() {
            return over;
        }

        private Connection borrow() throws SQLException {
            if (isOver()) {
                throw new SQLException("the test has dropped the database " + name, "3D000");
            }
            return (Connection) Proxy.newProxyInstance(
                    Use.class.getClassLoader(), new Class<?>[] {Connection.class}, new Borrowed(this, session()));
        }
    }

    /** A session until it is closed. */
    private final class Borrowed implements InvocationHandler {
        private final Use use;
        private final Connection session;
        private boolean closed;

        Borrowed(Use use, Connection session) {
            this.use = use;
            this.session = session;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
            if (isOfObject(method)) {
                return ofObject(self, method, arguments);
            }
            switch (method.getName()) {
                case "close" -> {
                    if (close()) {
                        if (use.isOver()) {
                            PostgreSqlDatabase.end(session);
                        } else {
                            giveBack(session);
                        }
                    }
                    return null;
                }
                case "isClosed" -> {
                    return isClosed() || session.isClosed();
                }
                default -> {
                    if (isClosed()) {
                        if (method.getName().equals("isValid")) {
                            return false;
                        }
                        throw new SQLException("This connection has been closed.", "08003");
                    }
                    return forward(session, method, arguments);
                }
            }
        }

        private synchronized boolean close() {
            boolean first = !closed;
            closed = true;
            return first;
        }

        private synchronized boolean isClosed() {
            return closed;
        }
    }

    private static boolean isOfObject(Method method) {
        return method.getDeclaringClass() == Object.class;
    }

    private static Object ofObject(Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "kept " + System.identityHashCode(self);
        };
    }

    private static Object forward(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
