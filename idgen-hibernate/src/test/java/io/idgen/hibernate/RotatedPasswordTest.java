package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.idgen.core.IdUnavailableException;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The password of a user changes while the application runs. idgen's own connections use the new password. */
class RotatedPasswordTest {
    private final Database database = Run.createDatabase();
    private final String user = "rotating_" + ProcessHandle.current().pid();

    @BeforeEach
    void createUser() throws SQLException {
        switch (Run.KIND) {
            case H2 -> execute("CREATE USER " + user + " PASSWORD 'first' ADMIN");
            case MARIADB, MYSQL -> {
                execute("CREATE USER " + user + "@'%' IDENTIFIED BY 'first'");
                execute("GRANT ALL ON *.* TO " + user + "@'%'");
            }
            default -> {
                execute("CREATE ROLE " + user + " LOGIN PASSWORD 'first'");
                execute("GRANT " + user + " TO CURRENT_USER"); // so that it can end the user's sessions
                execute("GRANT ALL ON SCHEMA public TO " + user);
            }
        }
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
        if (Run.KIND != TestDatabase.H2) {
            try (Database other = Run.createDatabase()) {
                execute(other, "DROP USER " + user + (Run.hasCatalogs() ? "@'%'" : ""));
            }
        }
    }

    private void rotate(String password) throws SQLException {
        execute(
                switch (Run.KIND) {
                    case H2 -> "ALTER USER " + user + " SET PASSWORD '" + password + "'";
                    case MARIADB, MYSQL -> "ALTER USER " + user + "@'%' IDENTIFIED BY '" + password + "'";
                    default -> "ALTER ROLE " + user + " PASSWORD '" + password + "'";
                });
    }

    private static Unit.Builder unit(DataSource dataSource) {
        return Unit.of(Parent.class, Child.class)
                .segments()
                .set("idgen.segment.step", "1")
                .set("idgen.segment.reserve", "0s")
                .dataSource(dataSource);
    }

    @Test
    void theCopyOfAPoolConnectsWithThePasswordThatThePoolHasNow() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.plainUrl());
        config.setUsername(user);
        config.setPassword("first");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config);
                Unit unit = unit(pool).boot()) {
            rotate("second");
            pool.getHikariConfigMXBean().setPassword("second");
            unit.persist(new Parent(20)); // opens idgen's first connections

            rotate("third");
            pool.getHikariConfigMXBean().setPassword("third");
            endSessions(pool);
            persistWhenLoginsSucceed(unit, 50);

            assertThat(unit.count("Child")).isEqualTo(70);
        }
    }

    /** The pool gets its password from a provider, like the IAM tokens of cloud providers. */
    @Test
    void theCopyOfAPoolAsksItsProviderOfCredentialsEachTime() throws SQLException {
        AtomicReference<String> password = new AtomicReference<>("first");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.plainUrl());
        config.setCredentialsProvider(() -> Credentials.of(user, password.get()));
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config);
                Unit unit = unit(pool).boot()) {
            rotate("second");
            password.set("second");
            unit.persist(new Parent(20)); // opens idgen's first connections

            rotate("third");
            password.set("third");
            endSessions(pool);
            persistWhenLoginsSucceed(unit, 50);

            assertThat(unit.count("Child")).isEqualTo(70);
        }
    }

    @Test
    void aDataSourceWithoutAUrlThatIsHandedToIdgenTooIsAskedEachTime() throws SQLException {
        AtomicReference<String> password = new AtomicReference<>("first");
        DataSource dataSource =
                Wrapped.dataSource(() -> DriverManager.getConnection(database.plainUrl(), user, password.get()));
        try (Unit unit =
                unit(dataSource).set("idgen.jdbc.data-source", dataSource).boot()) {
            rotate("second");
            password.set("second");
            persistWhenLoginsSucceed(unit, 20);

            rotate("third");
            password.set("third");
            persistWhenLoginsSucceed(unit, 50);

            assertThat(unit.count("Child")).isEqualTo(70);
        }
    }

    /** Closes the connections that used the old password, of idgen and of the application. */
    private void endSessions(HikariDataSource pool) throws SQLException {
        if (Run.KIND == TestDatabase.POSTGRESQL) {
            execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + user + "'");
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** Retries, because a refill may use the old password between the change on the server and the change here. */
    private static void persistWhenLoginsSucceed(Unit unit, int children) {
        while (true) {
            try {
                unit.persist(new Parent(children));
                return;
            } catch (IdUnavailableException e) {
                assertThat(e).hasMessageContaining("idgen tries again in the background");
            }
        }
    }

    private void execute(String sql) throws SQLException {
        execute(database, sql);
    }

    private static void execute(Database database, String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
