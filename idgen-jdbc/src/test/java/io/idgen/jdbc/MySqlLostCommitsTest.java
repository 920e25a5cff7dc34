package io.idgen.jdbc;

import io.idgen.jdbc.testing.RestartableServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MySQL servers that acknowledge commits before they are on disk, killed. */
@Tag("nightly")
class MySqlLostCommitsTest {
    @Test
    void aServerThatMayHaveLostCommitsIsAnotherOneAfterARestart() throws Exception {
        try (RestartableServer mySql =
                RestartableServer.mySql("--innodb-flush-log-at-trx-commit=2", "--log-bin=bin", "--sync-binlog=0")) {
            LostCommitsTest.isAnotherServerAfterARestart(mySql);
        }
    }

    @Test
    void aServerWithDurableCommitsIsTheSameOneAfterARestart() throws Exception {
        try (RestartableServer mySql = RestartableServer.mySql("--log-bin=bin")) {
            LostCommitsTest.isTheSameServerAfterARestart(mySql);
        }
    }
}
