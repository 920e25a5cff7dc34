package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Replicas repeatedly take over without the last commits, while four processes generate ids.
 *
 * <p>Each process also generates ids as a control, which takes all servers for the same one. The control must repeat
 * ids.
 *
 * <p>{@code -Dtakeovers=100} runs more than one takeover.
 */
@Tag("matrix")
@Tag("servers")
@Timeout(7200)
class TakeoverTest {
    private static final int TAKEOVERS = Integer.getInteger("takeovers", 1);
    private static final int LATEST_REPEAT = 20;

    private static final Map<TestDatabase, Callable<ReplicatedPair>> PAIRS = Map.of(
            TestDatabase.POSTGRESQL, PostgreSqlPair::new,
            TestDatabase.MARIADB, CrashPair::ofMariaDb,
            TestDatabase.MYSQL, CrashPair::ofMySql);

    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void noIdIsRepeatedAndTheControlRepeats(
            TestDatabase servers, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        try (TakeoverRun run = new TakeoverRun(PAIRS.get(servers).call(), folder)) {
            for (int i = 0; i < TAKEOVERS; i++) {
                run.takeOver();
                System.out.println(servers + ": " + run.takeovers().get(i));
            }
            for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
                assertThat(run.repeated(strategy))
                        .as("repeated ids of %s, logs in %s", strategy, folder)
                        .isZero();
                assertThat(run.takeovers().subList(0, Math.min(TAKEOVERS, LATEST_REPEAT)))
                        .as("the control of %s", strategy)
                        .anyMatch(takeover -> takeover.repeatedByControl().get(strategy) > 0);
            }
            assertThat(List.copyOf(run.takeovers())).allMatch(takeover -> takeover.lostTransactions() > 0);
        }
    }
}
