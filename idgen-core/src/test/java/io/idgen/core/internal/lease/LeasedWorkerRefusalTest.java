package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.testing.LogLines;
import io.idgen.core.testing.Quiet;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stores that have no free row, or refuse. */
@Timeout(600)
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
    void theTypeOfAnExceptionAndNotItsCodeMakesAnOutage() {
        Process process = process();
        process.failure = new IdGenerationException(ErrorCode.DATABASE_FAILED, "the code of an outage");

        assertThat(process.refused())
                .isNotInstanceOf(IdUnavailableException.class)
                .hasCause(process.failure);
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
    void aRefusedStoreIsNotAskedAgainUntilSomebodyNeedsIt() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        process.refused();

        time.pass(ofMinutes(5));

        assertThat(process.statements).hasSize(1);
    }

    @Test
    void aWaitingProcessLeasesAReleasedWorkerId() {
        workers = 1;
        freshRows();
        Process holder = process();
        holder.next();
        time.after(ofSeconds(8).toNanos(), holder::close);

        Process process = process();
        process.next();

        assertThat(time.elapsed()).isBetween(ofSeconds(8), ofSeconds(10));
    }

    @Test
    void horizonsTooFarAheadAreRefused() {
        freshRows();
        database.stepClock(-ofMinutes(60).toMillis());
        for (int workerId = 0; workerId < workers; workerId++) {
            set(workerId, 1, null, NEVER, database.nowMillis() + ofMinutes(60).toMillis());
        }
        Process process = process();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.HORIZON_FAR);
        assertThat(time.elapsed()).isLessThan(ofSeconds(1));
    }

    @Test
    void aHorizonWithinAWindowIsUsedAtOnceAheadOfTheTime() {
        workers = 1;
        set(0, 1, null, NEVER, database.nowMillis() + ofMinutes(2).toMillis());
        Process process = process();

        assertThat(lag(process.next())).isBetween(ofSeconds(-121), ofSeconds(-119));
        process.run(1000, ofMinutes(3));

        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
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

    @Test
    void whoAsksAgainAndAgainFor10SecondsAfterARefusalCauses8Transactions() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        while (time.elapsed().compareTo(ofSeconds(10)) < 0) {
            assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
            time.pass(ofMillis(1));
        }

        assertThat(process.statements).hasSize(8);
    }

    @Test
    void refusalsAreLoggedAtMostOnceInTenSeconds() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        String line = "WARNING test: leasing a worker id was refused: " + ErrorCode.TABLE_MISSING + ": no table";

        LOG.setLevel(Level.WARNING);
        try (LogLines log = new LogLines(LeaseKeeper.class)) {
            for (int millis = 0; millis < 9_999; millis++) {
                process.refused();
                time.pass(ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line);

            for (int millis = 0; millis < 10_000; millis++) {
                process.refused();
                time.pass(ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line, line);
        } finally {
            LOG.setLevel(Level.OFF);
        }
    }

    @Test
    void whatHasBeenMendedAfterManyRefusalsIsNoticedWithin5Seconds() {
        freshRows();
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        for (int i = 0; i < 30; i++) {
            process.refused();
            time.pass(ofSeconds(5));
        }
        process.refused();

        process.works();
        time.pass(ofMillis(4999));
        process.refused();
        time.pass(ofMillis(1));

        process.next();
    }

    @Test
    void eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        IdGenerationException one = process.refused();
        IdGenerationException other = assertThrows(IdGenerationException.class, process.ids::warmUp);

        assertThat(one).isNotSameAs(other);
        assertThat(List.of(one, other)).allSatisfy(e -> {
            assertThat(e).isInstanceOf(AllocationException.class).hasCause(process.failure);
            assertThat(e).hasMessage("IDGEN-403: no table");
        });
        assertThat(one.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("nextId", "eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause");
        assertThat(other.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("warmUp", "eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause");
    }

    @Test
    void exceptionsAndEventsNameTheNamespace() {
        workers = 1;
        freshRows();
        takenByAnother(0);
        Process process = process();

        IdUnavailableException taken = (IdUnavailableException) process.refused();
        process.fails();
        time.pass(ofSeconds(10));
        IdUnavailableException failing = (IdUnavailableException) process.refused();

        assertThat(List.of(taken.source(), failing.source())).containsOnly("test");
        assertThat(process.events).isNotEmpty().extracting(IdgenEvent::source).containsOnly("test");
        assertThat(taken).hasMessageContaining("give each process its own worker id");
        process.ids.close();
        assertThat(process.refused()).hasMessage("IDGEN-107: the snowflake generator of namespace 'test' is closed");
    }

    @Test
    void aFailureSaysWhetherThereAreIdsMeanwhile() {
        freshRows();
        Process process = process();
        process.fails();
        process.refused();
        process.works();
        time.pass(ofSeconds(20));
        process.next();
        process.fails();
        time.pass(ofSeconds(20));

        assertThat(process.events)
                .filteredOn(event -> event.kind() == Kind.OUTAGE_BEGAN)
                .extracting(IdgenEvent::text)
                .containsExactly(
                        "leasing a worker id failed and is tried again; there are no ids until it succeeds: IDGEN-401:"
                                + " connection reset",
                        "leasing a worker id failed and is tried again; remaining ids are still served:"
                                + " IDGEN-401: connection reset");
    }

    @Test
    void aCallThatWaitsSleepsUntilItsDeadlineAndDoesNotPoll() {
        Process process = process();
        process.fails();
        int parks = time.parks();

        process.refused();

        assertThat(time.elapsed()).isEqualTo(FIRST_ID);
        assertThat(time.parks() - parks).isEqualTo(1);
    }

    @Test
    void aCallThatWaitsIsWokenByTheGrant() {
        freshRows();
        Process process = process();
        process.fails();
        time.after(ofSeconds(10).toNanos(), process::works);
        int parks = time.parks();

        process.next();

        assertThat(time.elapsed()).isEqualTo(process.times("acquire").get(0));
        assertThat(time.parks() - parks).isEqualTo(1);
    }

    @Test
    void aStoreThatRefusesIsAsSilentAsOneThatFailsSoWhatIsInHandIsMadeToLast() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        process.run(1000, ofSeconds(15));
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        process.run(1000, ofMinutes(30));
        process.works();
        process.run(1000, ofSeconds(30));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(process.kinds())
                .containsExactly(
                        Kind.LEASE_ACQUIRED, Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED, Kind.CLOCK_HELD, Kind.CLOCK_RESUMED);
    }
}
