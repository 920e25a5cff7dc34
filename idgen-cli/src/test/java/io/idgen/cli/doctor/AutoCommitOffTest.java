package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachMySqlServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Servers whose sessions begin without auto-commit mode, and drivers that believe in it. */
@Tag("databases")
class AutoCommitOffTest {
    @ParameterizedTest
    @EachMySqlServer
    void theDoctorReportsADriverThatDoesNotNoticeIt(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            String url = database.url()
                    + (kind == TestDatabase.MARIADB || kind == TestDatabase.MYSQL_BY_MARIADB_DRIVER
                            ? ""
                            : "&useLocalSessionState=true");
            DataSource withoutPool = Wrapped.dataSource(() -> DriverManager.getConnection(url));
            Sql.execute(database.dataSource(), "SET GLOBAL autocommit = 0");
            try {
                assertThat(Doctor.examine(new IdgenTables(withoutPool), InstantSource.system()).stream()
                                .filter(finding -> finding.level() == Level.WARN)
                                .map(Finding::subject)
                                .filter("auto-commit"::equals))
                        .hasSize(kind == TestDatabase.MARIADB ? 0 : 1);
            } finally {
                Sql.execute(database.dataSource(), "SET GLOBAL autocommit = 1");
            }
        }
    }
}
