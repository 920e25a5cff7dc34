package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.RestartableServer.Copy;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A copy of a MySQL server that takes over, with all commits. The file {@code auto.cnf} contains {@code server_uuid}, so
 * a copy with this file is the same server.
 */
@Tag("nightly")
class MySqlCopyTest {
    private static final int REACH = 1_000;

    @Test
    void aCopyIsAnotherServerUnlessItHasTheFileWithTheIdentity() throws SQLException {
        try (RestartableServer original = RestartableServer.mySql("--plugin-load-add=mysql_clone.so")) {
            new IdgenSchema(original.dataSource()).create();
            Lease lease = LostCommitsTest.Grant.acquired(original.dataSource());
            assertThat(first(original)).isOne();

            for (Copy how : Copy.values()) {
                try (RestartableServer copy = original.copied(how)) {
                    assertThat(new JdbcWorkerIds(copy.dataSource())
                                    .look(LostCommitsTest.TERMS, lease)
                                    .orElseThrow()
                                    .sameServer())
                            .as("for worker ids, after %s", how)
                            .isEqualTo(how == Copy.FOLDER);
                    assertThat(first(copy)).isEqualTo(how == Copy.FOLDER ? 2 : 2 + 2 * REACH);
                }
                original.start();
            }
        }
    }

    private static long first(RestartableServer server) {
        return new Counters(server.dataSource())
                .onDemand()
                .startingAt(1)
                .withReach(REACH)
                .allocate("orders", 1)
                .first();
    }
}
