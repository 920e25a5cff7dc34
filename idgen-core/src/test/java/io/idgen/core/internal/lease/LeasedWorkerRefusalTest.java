package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.testing.Quiet;
import org.junit.jupiter.api.Test;

/** Stores that have no free row, or refuse. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerRefusalTest extends LeasedWorkerFixture {

    @Test
    void afterTheTimeoutTheMessageNamesTheHoldersOfAllWorkerIds() {
        workers = 2;
        freshRows();
        takenByAnother(0);
        takenByAnother(1);
        Process process = process();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.WORKER_IDS_TAKEN);
        assertThat(refusal)
                .hasMessageContaining("all 2 worker ids")
                .hasMessageContaining("worker id 0, by another until");
        assertThat(time.elapsed()).isBetween(FIRST_ID, FIRST_ID.plusMillis(10));
    }

    @Test
    void whileAllAreTakenTheStoreIsAskedAboutOnceASecondAndNotAfterTheLastCaller() {
        freshRows();
        for (int workerId = 0; workerId < workers; workerId++) {
            takenByAnother(workerId);
        }
        Process process = process();

        process.refused();
        assertThat(process.times("candidates")).hasSizeBetween(27, 35);
        time.pass(ofSeconds(10));
        int sentSoFar = process.statements.size();
        time.pass(ofMinutes(5));

        assertThat(process.statements).hasSize(sentSoFar);
    }

    @Test
    void anErrorOfAStoreIsAnOutageAfterWhichTheLeaseIsRenewed() {
        freshRows();
        Process process = process();
        process.next();
        process.before("any", () -> {
            throw new StackOverflowError("a driver's bug");
        });
        time.pass(RENEW.multipliedBy(2));
        assertThat(process.kinds()).containsOnlyOnce(Kind.OUTAGE_BEGAN).doesNotContain(Kind.OUTAGE_ENDED);

        process.before("any", () -> {});
        time.pass(ofMinutes(1));
        assertThat(process.kinds()).contains(Kind.OUTAGE_ENDED).doesNotContain(Kind.LEASE_LOST);
        process.next();
    }

    @Test
    void aRefusalFailsCallsImmediatelyAndACallAfterTheBackOffRetries() {
        freshRows();
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(process.statements).hasSize(1);
        assertThat(time.elapsed()).isZero();

        process.works();
        time.pass(ofMillis(50));
        process.next();
    }
}
