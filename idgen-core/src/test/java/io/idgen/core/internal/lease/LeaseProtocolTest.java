package io.idgen.core.internal.lease;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.LeaseCommand.LookAtRow;
import io.idgen.core.internal.lease.LeaseCommand.Raise;
import io.idgen.core.internal.lease.LeaseCommand.Release;
import io.idgen.core.internal.lease.LeaseCommand.Renew;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests each rule of a lease by itself, on both sides of each boundary. A tick is 10 ms long, so that rounding shows.
 */
class LeaseProtocolTest {
    private static final long TICK = 10;
    private static final Duration WINDOW = ofSeconds(180);
    private static final Duration RENEW = ofSeconds(10);
    private static final long REACH = 190_000; // a window, and twice the skew of servers
    private static final long GAP = 185_000;

    private static final SnowflakeLayout LAYOUT =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(TICK), 41, 5, 5, 12);
    private static final long EPOCH = LAYOUT.epoch().toEpochMilli();

    /** A time on a boundary of ticks. */
    private static final long T = EPOCH + 1_000_000_000;

    /** A time 3 ms after the beginning of a tick. */
    private static final long NOW = T + 3;

    private static final Lease LEASE = new Lease(1, 5, "token", T + 100_000, 2, "server");
    private static final LeaseState HOLDS = holding(held(LEASE, tick(T), false));
    private static final LeaseState USES = holding(held(LEASE, tick(T), true));

    private final LeaseProtocol protocol = protocol(ofSeconds(30), WINDOW);

    private static LeaseProtocol protocol(Duration lease, Duration window) {
        return new LeaseProtocol(new LeaseTerms("test", LAYOUT, 0, 4, Set.of(), lease, window));
    }

    private static long tick(long millis) {
        return (millis - EPOCH) / TICK;
    }

    private static Holding held(Lease lease, long firstTick, boolean inUse) {
        return new Holding(lease, firstTick, inUse, Set.of());
    }

    private static LeaseState holding(Holding holding) {
        return new LeaseState(LeasePhase.OPEN, 0, holding, null, 2);
    }

    /** A row that no process has leased, granted by the server that answers. */
    private static Row row(int workerId, long horizonMillis) {
        return new Row(workerId, 5, horizonMillis, true, false, 0, "server");
    }

    private static Row foreign(int workerId, long horizonMillis, boolean held) {
        return new Row(workerId, 5, horizonMillis, false, held, 0, null);
    }

    private LeaseStep found(LeaseState state, int choice, Row... rows) {
        return protocol.found(
                state, new LeaseEvent.RowsFound(new Candidates(NOW, List.of(rows), "by others"), "fresh", choice));
    }

    private LeaseStep found(Row... rows) {
        return found(LeaseState.START, 0, rows);
    }

    private static void rests(LeaseStep step, LeaseState state, Duration pause, Notice notice) {
        assertThat(step).isEqualTo(new LeaseStep(state, null, pause, notice, step.waitsFor()));
    }

    private static void sends(LeaseStep step, LeaseState state, LeaseCommand command) {
        assertThat(step).isEqualTo(LeaseStep.send(state, command));
    }

    private static String reason(LeaseStep step) {
        return Objects.requireNonNull(step.waitsFor()).text();
    }

    private static void waits(LeaseStep step, Duration pause, String text) {
        rests(step, LeaseState.START, pause, Notice.NONE);
        assertThat(reason(step)).contains(Instant.ofEpochMilli(NOW).toString()).contains(text);
    }

    @Nested
    class ATurn {
        @Test
        void looksForARowWithTheTokenInDoubt() {
            LeaseState doubts = LeaseState.START.doubting("token");

            sends(protocol.turn(doubts), doubts, new FindRows("token"));
        }

        @Test
        void readsTheRowThatIsHeld() {
            sends(protocol.turn(USES), USES, new LookAtRow(LEASE));
        }

        @Test
        void asksNothingWhileTheSourceIsClosedOrARowIsAboutToBeReleased() {
            LeaseState closed = USES.in(LeasePhase.CLOSED);
            LeaseState leaving = USES.leaving(LeasePhase.OPEN);

            rests(protocol.turn(closed), closed, RENEW, Notice.NONE);
            rests(protocol.turn(leaving), leaving, RENEW, Notice.NONE);
        }
    }

    @Nested
    class AmongTheRowsThatAreFound {
        @Test
        void aRowWhoseHorizonHasPassedIsAcquiredFromTheNextTickOn() {
            Row row = row(3, T - 5_000);
            LeaseState doubts = LeaseState.START.doubting("token");

            sends(
                    found(doubts, 0, row),
                    doubts,
                    new Acquire(row, "token", new Lease(3, 6, "fresh", T + 15_000, 0, "server"), T + TICK));
        }

        @Test
        void aRowWhoseHorizonIsAheadIsAcquiredFromThereOn() {
            Row row = row(3, T + 500);

            sends(
                    found(row),
                    LeaseState.START,
                    new Acquire(row, null, new Lease(3, 6, "fresh", T + 15_000, 0, "server"), T + 500));
        }

        @Test
        void theFirstWindowIsAsLongAsAllOthersIfTheHorizonLeavesItNoTick() {
            Row lastTick = row(3, T + 15_000 - TICK);
            Row noTick = row(3, T + 15_000);

            assertThat(((Acquire) found(lastTick).command()).lease().horizonMillis())
                    .isEqualTo(T + 15_000);
            assertThat(((Acquire) found(noTick).command()).lease().horizonMillis())
                    .isEqualTo(T + 180_000);
        }

        @Test
        void aHorizonThatLeavesNoTickOfAWindowIsWaitedFor() {
            Row lastTick = row(3, T + 180_000 - TICK);

            assertThat(found(lastTick).command()).isInstanceOf(Acquire.class);
            // at this moment a window first reaches a whole tick beyond the horizon
            waits(found(row(3, T + 180_000)), ofMillis(TICK - 3 + 1), "can be leased in 1 s");
            waits(found(row(3, T + 185_000)), ofMillis(5_000 + TICK - 3 + 1), "can be leased in 6 s");
        }

        @Test
        void whileOneIsWaitedForARowOfAnotherServerIsFencedOffAndNotUsedAtOnce() {
            Row ahead = row(3, T + 185_000);
            Row foreign = foreign(1, T - 5_000, false);
            Row held = foreign(2, T + 186_000, true);

            sends(
                    found(LeaseState.START, 1, ahead, foreign, held),
                    LeaseState.START,
                    new FenceOff(held, T + GAP + 1_010, ofMillis(5_000 + TICK - 3 + 1)));
        }

        @Test
        void aHorizonIsWaitedForUpToAWindowAndTwiceTheSkewOfServers() {
            waits(found(row(3, NOW + REACH)), ofMillis(10_000 + TICK + 1), "can be leased in 11 s");

            assertThatThrownBy(() -> found(row(3, NOW + REACH + 1)))
                    .isInstanceOfSatisfying(
                            AllocationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.HORIZON_FAR))
                    .hasMessageContaining("correct the clock if it is behind");
        }

        @Test
        void rowsOfAnotherServerAreUsedIfAllOwnOnesAreBeyondThat() {
            Row foreign = foreign(1, T - 5_000, false);
            Row near = row(3, NOW + REACH);
            Row far = row(3, NOW + REACH + 1);

            assertThat(found(near, foreign).command())
                    .isEqualTo(new FenceOff(foreign, T + GAP + 1_010, ofMillis(10_000 + TICK + 1)));
            assertThat(found(far, foreign).command()).isEqualTo(new FenceOff(foreign, T + GAP + 1_010, ZERO));
        }

        @Test
        void rowsThatCanBeginNowOrWithinASecondOfTheFirstOneAreChosenAtRandom() {
            Row first = row(0, T + 500);
            Row second = row(1, T + 1_500);
            Row third = row(2, T + 1_501);

            assertThat(((Acquire) found(LeaseState.START, 2, first, second, third)
                                    .command())
                            .row())
                    .isEqualTo(first);
            assertThat(((Acquire) found(LeaseState.START, 3, first, second, third)
                                    .command())
                            .row())
                    .isEqualTo(second);
        }

        @Test
        void aRowThatCanBeginNowIsPreferred() {
            Row passed = row(0, T - 5_000);
            Row now = row(1, NOW);
            Row soon = row(2, NOW + 1);

            assertThat(((Acquire) found(LeaseState.START, 2, passed, now, soon).command()).row())
                    .isEqualTo(passed);
            assertThat(((Acquire) found(LeaseState.START, 3, passed, now, soon).command()).row())
                    .isEqualTo(now);
        }

        @Test
        void noRowAtAllIsReportedAndLookedForAgainAfterASecond() {
            rests(found(), LeaseState.START, ofSeconds(1), Notice.NONE);
            assertThat(reason(found())).isEqualTo("all worker ids are leased: by others");
        }

        @Test
        void aWindowCanBeginInTheLayoutsLastTickButNotAfterIt() {
            long lastTick = LAYOUT.end().toEpochMilli() / TICK * TICK;
            Row row = row(0, lastTick - 60_000);

            LeaseStep last = protocol.found(
                    LeaseState.START, new LeaseEvent.RowsFound(new Candidates(lastTick, List.of(row), ""), "fresh", 0));
            assertThat(((Acquire) last.command()).startMillis()).isEqualTo(lastTick);
            assertThat(((Acquire) last.command()).lease().horizonMillis()).isEqualTo(lastTick + TICK);

            assertThatThrownBy(() -> protocol.found(
                            LeaseState.START,
                            new LeaseEvent.RowsFound(new Candidates(lastTick + 1, List.of(row), ""), "fresh", 0)))
                    .isInstanceOfSatisfying(
                            IdGenerationException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED));
        }

        @Test
        void allThatWasGrantedIsDiscardedIfTheNamespaceWasHealedSince() {
            LeaseState uses = LeaseState.START.generation(3);
            Row healed = new Row(1, 5, T, true, false, 4, "server");
            Row same = new Row(1, 5, T, true, false, 3, "server");

            rests(found(uses, 0, same, healed), LeaseState.START, ZERO, Notice.DISCARDED);
            assertThat(found(uses, 0, same).command()).isInstanceOf(Acquire.class);
            assertThat(found(LeaseState.START, 0, healed).command()).isInstanceOf(Acquire.class);
        }
    }

    @Nested
    class ARowOfAnotherServer {
        @Test
        void isFencedOffAtOnceIfAProcessHoldsItOrItsHorizonHasPassed() {
            Row held = foreign(1, T + 100_000, true);
            Row passed = foreign(1, NOW, false);

            sends(found(held), LeaseState.START, new FenceOff(held, T + GAP + 1_010, ZERO));
            sends(found(passed), LeaseState.START, new FenceOff(passed, T + GAP + 1_010, ZERO));
        }

        @Test
        void isWaitedForIfAnotherServerHasFencedItOffAndItsHorizonIsAhead() {
            waits(found(foreign(1, NOW + 1, false)), ofMillis(2), "can be leased in 1 s");
            waits(found(foreign(1, NOW + 5_000, false)), ofMillis(5_001), "can be leased in 6 s");
            waits(found(foreign(1, NOW + REACH, false)), ofMillis(REACH + 1), "can be leased in 191 s");
        }

        @Test
        void isNotWaitedForIfItsHorizonIsTooFarAhead() {
            assertThatThrownBy(() -> found(foreign(1, NOW + REACH + 1, false)))
                    .isInstanceOfSatisfying(
                            AllocationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.HORIZON_FAR));
        }

        @Test
        void isLeftAloneWhileAKnownRowCanBeLeased() {
            Row known = row(3, T + 500);

            assertThat(((Acquire) found(foreign(1, T - 5_000, true), known).command()).row())
                    .isEqualTo(known);
        }

        @Test
        void keepsAHorizonThatIsBeyondTheGapAlready() {
            Row far = foreign(1, T + 300_001, true);

            sends(found(far), LeaseState.START, new FenceOff(far, T + 300_010, ZERO));
        }

        @Test
        void isLookedForAgainAtOnceAfterItWasFencedOffUnlessItWasDoneWhileWaiting() {
            LeaseState doubts = LeaseState.START.doubting("token");
            Row row = foreign(1, T, true);

            sends(protocol.fencedOff(doubts, new FenceOff(row, T, ZERO), true), doubts, new FindRows("token"));
            rests(
                    protocol.fencedOff(doubts, new FenceOff(row, T, ofSeconds(4)), true),
                    doubts,
                    ofSeconds(4),
                    Notice.NONE);
        }

        /** Otherwise a proxy that sends reads to a replica would cause statements without a pause. */
        @Test
        void isLookedForAgainAfterAPauseThatNamesTheCauseIfItWasNotFencedOff() {
            Row row = foreign(1, T, true);

            LeaseStep step = protocol.fencedOff(LeaseState.START, new FenceOff(row, T, ZERO), false);

            rests(step, LeaseState.START, LeaseProtocol.SOON, Notice.NONE);
            assertThat(reason(step))
                    .startsWith("worker id 1 is read as granted by another server, and it is not")
                    .contains("sends reads to a replica");
        }
    }

    @Nested
    class AnAcquisition {
        private final Acquire command = new Acquire(row(1, T), null, LEASE, T + 3);

        @Test
        void holdsTheRowFromTheFirstWholeTickOn() {
            LeaseStep step = protocol.acquired(LeaseState.START.doubting("old"), command, true);

            LeaseState holds = holding(held(LEASE, tick(T) + 1, false));
            rests(step, holds, ofSeconds(5), Notice.ACQUIRED);
        }

        @Test
        void isRenewedAfterAThirdOfTheFirstWindowOrEarlier() {
            assertThat(protocol(ofSeconds(6), WINDOW)
                            .acquired(LeaseState.START, command, true)
                            .pause())
                    .isEqualTo(ofSeconds(2));
            assertThat(protocol(ofSeconds(30), ofSeconds(6))
                            .acquired(LeaseState.START, command, true)
                            .pause())
                    .isEqualTo(ofSeconds(2));
        }

        @Test
        void looksForRowsAgainIfAnotherProcessWasFaster() {
            LeaseState doubts = LeaseState.START.doubting("token");

            sends(protocol.acquired(doubts, command, false), doubts, new FindRows("token"));
        }
    }

    @Nested
    class ALook {
        private LeaseStep looked(LeaseState state, boolean held, long horizonMillis, boolean sameServer) {
            return protocol.looked(state, LEASE, new LeaseView(NOW, held, horizonMillis, sameServer, 2, false));
        }

        private LeaseStep looked(LeaseState state, long generation, boolean held, boolean setBack) {
            return protocol.looked(state, LEASE, new LeaseView(NOW, held, T + 7_000, true, generation, setBack));
        }

        @Test
        void meansNothingToAProcessThatHoldsNoRowOrAnotherOne() {
            LeaseState other = holding(held(LEASE.withHorizon(T + 200_000), tick(T), true));

            rests(looked(LeaseState.START, true, T, true), LeaseState.START, RENEW, Notice.NONE);
            rests(looked(other, true, T, true), other, RENEW, Notice.NONE);
        }

        @Test
        void raisesTheHorizonToTheLastTickOfAWindow() {
            sends(looked(USES, true, LEASE.horizonMillis(), true), USES, new Extend(LEASE, T + 180_000));
        }

        @Test
        void renewsTheLeaseAloneIfTheHorizonIsAsFarAheadAlready() {
            Lease full = LEASE.withHorizon(T + 180_000);
            Lease oneTickLess = LEASE.withHorizon(T + 180_000 - TICK);

            assertThat(lookedAs(full)).isEqualTo(new Renew(full, NOW));
            assertThat(lookedAs(oneTickLess)).isEqualTo(new Extend(oneTickLess, T + 180_000));
        }

        private @Nullable LeaseCommand lookedAs(Lease lease) {
            LeaseState uses = holding(held(lease, tick(T), true));
            return protocol.looked(uses, lease, new LeaseView(NOW, true, lease.horizonMillis(), true, 2, false))
                    .command();
        }

        @Test
        void losesARowThatIsGoneOrHeldByAnotherOrGrantedByAnotherServer() {
            LeaseState lost = USES.holding(null);

            rests(protocol.looked(USES, LEASE, null), lost, ZERO, Notice.ROW_GONE);
            rests(looked(USES, false, LEASE.horizonMillis(), true), lost, ZERO, Notice.ROW_TAKEN);
            rests(looked(USES, true, LEASE.horizonMillis(), false), lost, ZERO, Notice.OTHER_SERVER);
        }

        @Test
        void ofALowerHorizonIsOutOfDate() {
            rests(looked(USES, true, LEASE.horizonMillis() - 1, true), USES, ofSeconds(1), Notice.NONE);
        }

        @Test
        void ofAHigherHorizonShowsACopyOfTheProcess() {
            LeaseStep step = looked(USES, true, LEASE.horizonMillis() + 1, true);

            rests(step, USES.holding(null).in(LeasePhase.STOPPED), RENEW, Notice.COPIED);
        }

        @Test
        void ofAHigherHorizonShowsAnExtensionThatWasNotAnswered() {
            LeaseState uncertain = holding(held(LEASE, tick(T), true).asking(T + 180_000));

            LeaseStep step = looked(uncertain, true, T + 180_000, true);

            rests(step, uncertain.holding(null).doubting("token"), ZERO, Notice.EXTENDED_UNSEEN);
        }

        @Test
        void ofALaterGenerationDiscardsAllThatWasGranted() {
            rests(looked(USES, 3, true, false), LeaseState.START, ZERO, Notice.DISCARDED);
            assertThat(looked(USES, 2, true, false).notice()).isNotEqualTo(Notice.DISCARDED);
        }

        @Test
        void ofARowThatWasSetBackRaisesItOrHealsAllRows() {
            sends(looked(USES, 2, true, true), USES, new Raise(LEASE, T + 7_000));
            sends(looked(USES, 2, false, true), USES, new Heal(LEASE));
        }
    }

    @Nested
    class ARowThatWasSetBack {
        @Test
        void hasItsHorizonAgainOrWasReadOutOfDate() {
            rests(protocol.raised(USES, true), USES, ofMillis(250), Notice.RAISED);
            rests(protocol.raised(USES, false), USES, ofSeconds(1), Notice.NONE);
        }

        @Test
        void discardsAllThatWasGrantedOrWasReadOutOfDate() {
            rests(protocol.healed(USES, true), LeaseState.START, ZERO, Notice.DISCARDED);
            rests(protocol.healed(USES, false), USES, ofSeconds(1), Notice.NONE);
        }
    }

    @Nested
    class ARenewal {
        private final Extend extension = new Extend(LEASE, T + 180_000);

        @Test
        void movesTheHorizonThatTheProcessKnows() {
            LeaseState uncertain = holding(held(LEASE, tick(T), true).asking(T + 180_000));
            Holding extended = held(LEASE.withHorizon(T + 180_000), tick(T), true);

            rests(protocol.extended(uncertain, extension, true), holding(extended), RENEW, Notice.NONE);
        }

        @Test
        void thatIsRefusedMayBeOneThatWasSentTwice() {
            LeaseStep refused = protocol.extended(USES, extension, false);

            rests(refused, holding(held(LEASE, tick(T), true).asking(T + 180_000)), ofMillis(250), Notice.NONE);
            LeaseState refusedTwice = protocol.extended(refused.state(), new Extend(LEASE, T + 180_010), false)
                    .state();
            assertThat(notice(refusedTwice, T + 180_000)).isEqualTo(Notice.EXTENDED_UNSEEN);
            assertThat(notice(refusedTwice, T + 180_010)).isEqualTo(Notice.EXTENDED_UNSEEN);
            assertThat(notice(refusedTwice, T + 179_990)).isEqualTo(Notice.COPIED);
        }

        private Notice notice(LeaseState state, long horizonMillis) {
            return protocol.looked(state, LEASE, new LeaseView(NOW, true, horizonMillis, true, 2, false))
                    .notice();
        }

        @Test
        void thatMeantAnotherRowChangesNothing() {
            LeaseState other = holding(held(LEASE.withHorizon(T + 200_000), tick(T), true));

            rests(protocol.extended(other, extension, true), other, ofMillis(250), Notice.NONE);
            rests(protocol.extended(LeaseState.START, extension, true), LeaseState.START, ofMillis(250), Notice.NONE);
        }

        @Test
        void withoutAnAnswerLeavesTheRowUncertain() {
            LeaseState uncertain = holding(held(LEASE, tick(T), true).asking(T + 180_000));

            rests(protocol.unanswered(USES, extension), uncertain, ofMillis(250), Notice.NONE);
        }

        @Test
        void withoutAnAnswerIsForgottenIfItMeantAnotherRowOrWasNoExtension() {
            LeaseState other = holding(held(LEASE.withHorizon(T + 200_000), tick(T), true));

            rests(protocol.unanswered(other, extension), other, ofMillis(250), Notice.NONE);
            rests(protocol.unanswered(USES, new LookAtRow(LEASE)), USES, ofMillis(250), Notice.NONE);
            rests(protocol.unanswered(LeaseState.START, extension), LeaseState.START, ofMillis(250), Notice.NONE);
        }

        @Test
        void waitsForAStoreClockThatSteppedBack() {
            Lease full = LEASE.withHorizon(T + 180_000);

            LeaseStep step = protocol.renewed(USES, new Renew(full, T - 4_000));

            rests(step, USES, ofMillis(4_000 + TICK), Notice.NONE);
            assertThat(reason(step))
                    .contains("it is at " + Instant.ofEpochMilli(T - 4_000))
                    .contains("was at " + Instant.ofEpochMilli(T))
                    .contains("in 5 s");
        }

        @Test
        void waitsAtMostUntilTheNextOneAndATickIfTheClockIsWhereItWas() {
            Lease full = LEASE.withHorizon(T + 180_000);

            assertThat(protocol.renewed(USES, new Renew(full, T - 60_000)).pause())
                    .isEqualTo(RENEW);
            assertThat(protocol.renewed(USES, new Renew(full, T + 3)).pause()).isEqualTo(ofMillis(TICK));
        }
    }

    @Nested
    class AWindow {
        private final long first = tick(T);
        private final long end = tick(LEASE.horizonMillis());

        @Test
        void isDueWhenItsFirstTickHasBegunAndOneIsLeftAboveThoseInUse() {
            assertThat(protocol.isDue(HOLDS, first - 1, false, first)).isTrue();
            assertThat(protocol.isDue(HOLDS, first - 1, false, first - 1)).isFalse();
            assertThat(protocol.isDue(HOLDS, end - 2, false, first)).isTrue();
            assertThat(protocol.isDue(HOLDS, end - 1, false, first)).isFalse();
        }

        @Test
        void isDueInAnyCaseWhenTheOneInUseIsUsedUp() {
            assertThat(protocol.isDue(HOLDS, end, true, first - 1)).isTrue();
        }

        @Test
        void isNotDueWithoutARowOrOfTheRowInUseOrWhileARowIsReleased() {
            assertThat(protocol.isDue(LeaseState.START, first, true, first)).isFalse();
            assertThat(protocol.isDue(USES, first, true, first)).isFalse();
            assertThat(protocol.isDue(HOLDS.leaving(LeasePhase.OPEN), first, true, first))
                    .isFalse();
        }

        @Test
        void opensAboveAllThatWasIssued() {
            assertThat(protocol.opening(HOLDS, first - 7)).isEqualTo(new LeaseProtocol.NextWindow(1, first, end));
            assertThat(protocol.opening(HOLDS, first)).isEqualTo(new LeaseProtocol.NextWindow(1, first + 1, end));
            assertThat(protocol.opening(HOLDS, end - 2)).isEqualTo(new LeaseProtocol.NextWindow(1, end - 1, end));
        }

        @Test
        void doesNotOpenWithoutATickOrWithoutARowOrWhileARowIsReleased() {
            assertThat(protocol.opening(HOLDS, end - 1)).isNull();
            assertThat(protocol.opening(LeaseState.START, first)).isNull();
            assertThat(protocol.opening(USES, first)).isNull();
            assertThat(protocol.opening(HOLDS.leaving(LeasePhase.OPEN), first)).isNull();
        }

        @Test
        void isInUseOnceItIsOpen() {
            assertThat(protocol.opened(HOLDS)).isEqualTo(USES);
            assertThat(protocol.opened(LeaseState.START)).isEqualTo(LeaseState.START);
        }
    }

    @Nested
    class TheEnd {
        private final long first = tick(T);

        @Test
        void isPlannedWithARelease() {
            LeaseState leaving = USES.leaving(LeasePhase.OPEN).leaving(LeasePhase.SUSPENDED);

            assertThat(leaving)
                    .isEqualTo(USES.leaving(LeasePhase.OPEN)
                            .leaving(LeasePhase.OPEN)
                            .in(LeasePhase.SUSPENDED));
            assertThat(leaving.left()).isEqualTo(USES.leaving(LeasePhase.OPEN).in(LeasePhase.SUSPENDED));
        }

        @Test
        void ofAProcessThatWasCopiedStaysItsEnd() {
            LeaseState stopped = USES.in(LeasePhase.STOPPED);

            assertThat(stopped.leaving(LeasePhase.CLOSED)).isEqualTo(stopped.leaving(LeasePhase.STOPPED));
            assertThat(stopped.leaving(LeasePhase.CLOSED).phase()).isEqualTo(LeasePhase.STOPPED);
            assertThat(stopped.resumed()).isEqualTo(stopped);
        }

        @Test
        void ofACheckpointOpensTheProcessAgain() {
            assertThat(USES.in(LeasePhase.SUSPENDED).resumed()).isEqualTo(USES);
            assertThat(USES.in(LeasePhase.CLOSED).resumed()).isEqualTo(USES.in(LeasePhase.CLOSED));
        }

        @Test
        void releasesTheUnusedTicks() {
            sends(protocol.release(USES, first + 4), LeaseState.START, new Release(LEASE, T + 5 * TICK));
            sends(protocol.release(USES, first - 1), LeaseState.START, new Release(LEASE, T));
            sends(protocol.release(USES, first - 9), LeaseState.START, new Release(LEASE, T));
        }

        @Test
        void releasesAllTicksOfAnUnusedRow() {
            sends(protocol.release(HOLDS, first + 4), LeaseState.START, new Release(LEASE, T));
        }

        @Test
        void releasesNothingWithoutARow() {
            rests(protocol.release(LeaseState.START.generation(2), first), LeaseState.START, ZERO, Notice.NONE);
        }
    }
}
