package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.SequenceTable;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** MySQL servers that acknowledge commits before they are on disk, killed. */
@Timeout(300)
@Tag("mysql")
class MySqlLostCommitsTest {
    @Test
    void aServerThatMayHaveLostCommitsIsAnotherOneAfterARestartAndTheDoctorReportsIt() throws Exception {
        try (RestartableServer mySql =
                RestartableServer.mySql("--innodb-flush-log-at-trx-commit=2", "--log-bin=bin", "--sync-binlog=0")) {
            LostCommitsTest.isAnotherServerAfterARestart(mySql);
            SequenceTable sequence =
                    new SequenceTable(mySql.dataSource()).startingAt(1).withReach(1_000);
            long last = sequence.allocate("orders", 1).first();
            mySql.kill();
            mySql.start();

            assertThat(sequence.allocate("orders", 1).first()).isGreaterThan(last + 2_000);
            assertThat(Doctor.of(new IdgenTables(mySql.dataSource()), InstantSource.system())
                            .examine())
                    .map(Finding::toString)
                    .anyMatch(each -> each.contains("innodb_flush_log_at_trx_commit=2, sync_binlog=0"));
        }
    }

    @Test
    void aServerWithDurableCommitsIsTheSameOneAfterARestart() throws Exception {
        try (RestartableServer mySql = RestartableServer.mySql("--log-bin=bin")) {
            LostCommitsTest.isTheSameServerAfterARestart(mySql);

            assertThat(wrong(mySql)).isEmpty();
            Sql.execute(mySql.dataSource(), "SET GLOBAL binlog_format = 'STATEMENT'");
            assertThat(wrong(mySql))
                    .as("a binary log of statements, which a replica executes with its own identity")
                    .anyMatch(each -> each.contains("binlog_format=STATEMENT"));
        }
    }

    private static List<String> wrong(RestartableServer mySql) {
        return Doctor.of(new IdgenTables(mySql.dataSource()), InstantSource.system()).examine().stream()
                .filter(each -> each.level() == Level.WRONG)
                .map(Finding::toString)
                .toList();
    }
}
