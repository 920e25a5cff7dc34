package io.idgen.core.internal.lease;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.ReservationCommand.FenceOff;
import io.idgen.core.internal.lease.ReservationCommand.Look;
import io.idgen.core.internal.lease.ReservationCommand.Prepare;
import io.idgen.core.internal.lease.ReservationCommand.Purpose;
import io.idgen.core.internal.lease.ReservationCommand.Reserve;
import io.idgen.core.internal.lease.ReservationEvent.Looked;
import io.idgen.core.internal.lease.ReservationState.Asked;
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.internal.lease.ReservationStep.Notice;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests each rule of a reservation by itself, on both sides of each boundary. A tick is 10 ms long, so that rounding
 * shows.
 */
class ReservationProtocolTest {
    private static final long TICK = 10;
    private static final long LEASE = 30_000;
    private static final long GAP = 185_000;
    private static final Duration RENEW = ofSeconds(10);
    private static final String BASE = "process-1";
    private static final String MINE = BASE + "-a";
    private static final String FRESH = BASE + "-fresh";
    private static final String OTHER = "process-2-a";
    private static final String OF_AN_EARLY_VERSION = "0123456789abcdef";

    private static final SnowflakeLayout LAYOUT =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(TICK), 41, 5, 5, 12);
    private static final long EPOCH = LAYOUT.epoch().toEpochMilli();

    /** A time on a boundary of ticks. */
    private static final long T = EPOCH + 1_000_000_000;

    /** A time 3 ms after the beginning of a tick. */
    private static final long NOW = T + 3;

    private static final ReservationState START = ReservationState.acquiring(BASE);

    private static final Terms TERMS = new Terms("test", LAYOUT, 7, 1, ofMillis(LEASE), ofSeconds(180));

    private final ReservationProtocol protocol = new ReservationProtocol(TERMS, RENEW, false, 0);

    private static long tick(long millis) {
        return (millis - EPOCH) / TICK;
    }

    /** A row that was written by the server that answers. */
    private static RowState row(boolean reserved, @Nullable String token, long horizonMillis, long untilMillis) {
        return new RowState(NOW, 5, horizonMillis, true, reserved, token, untilMillis, "holder");
    }

    private static RowState ofAnotherServer(boolean reserved, @Nullable String token, long horizonMillis) {
        return new RowState(NOW, 5, horizonMillis, false, reserved, token, NOW, "holder");
    }

    private ReservationStep looked(
            ReservationState state, Purpose purpose, @Nullable RowState seen, @Nullable Long floorTick, long highest) {
        return protocol.looked(state, new Looked(new Look(purpose, GAP), seen, floorTick, highest, NOW, "fresh"));
    }

    private ReservationStep looked(ReservationState state, Purpose purpose, @Nullable RowState seen, long highest) {
        return looked(state, purpose, seen, seen == null ? null : state.floorTickIn(seen), highest);
    }

    private ReservationStep takes(RowState seen) {
        return looked(START, Purpose.TAKE, seen, -1);
    }

    /** Returns the statement that reserves a row from a time on, for a lease from then or from the clock's time on. */
    private static Reserve take(RowState seen, long fromMillis) {
        long from = Math.max(fromMillis, NOW);
        long horizon = EPOCH + (from - EPOCH + LEASE + TICK - 1) / TICK * TICK;
        return new Reserve(Purpose.TAKE, seen, FRESH, horizon, tick(fromMillis));
    }

    private static ReservationState asking(ReservationState state, Reserve command) {
        return state.asking(new Asked(
                String.valueOf(command.token()),
                command.seen().fence() + 1,
                command.horizonMillis(),
                command.floorTick()));
    }

    private static void asks(ReservationStep step, ReservationState state, Reserve command) {
        assertThat(step).isEqualTo(ReservationStep.send(asking(state, command), command));
    }

    private static void rests(ReservationStep step, ReservationState state, Duration pause) {
        assertThat(step).isEqualTo(ReservationStep.rest(state, pause));
    }

    private static void sends(ReservationStep step, ReservationState state, ReservationCommand command) {
        assertThat(step).isEqualTo(ReservationStep.send(state, command));
    }

    @Nested
    class ATurn {
        private final ReservationState reserved = START.confirmed(row(true, MINE, T, T), tick(T));

        @Test
        void preparesTheRowBeforeItIsReserved() {
            sends(protocol.turn(START), START, new Prepare());
            sends(protocol.prepared(START, GAP), START, new Look(Purpose.TAKE, GAP));
        }

        @Test
        void readsTheRowThatIsReserved() {
            sends(protocol.turn(reserved), reserved, new Look(Purpose.RENEW, 0));
        }

        @Test
        void asksNothingOnceTheSourceIsClosedOrSuspended() {
            for (Phase phase : List.of(Phase.CLOSED, Phase.SUSPENDED)) {
                ReservationState over = reserved.in(phase);

                rests(protocol.turn(over), over, RENEW);
            }
        }
    }

    @Nested
    class ARowToReserve {
        @Test
        void isReservedFromItsHorizonOnOrFromTheNextTickForALease() {
            RowState ahead = row(false, null, T + 70, 0);
            RowState passed = row(false, null, T - 70, 0);

            asks(takes(ahead), START, take(ahead, T + 70));
            asks(takes(passed), START, take(passed, T + TICK));
            assertThat(take(ahead, T + 70).horizonMillis()).isEqualTo(T + 70 + LEASE);
        }

        @Test
        void isReservedForALeaseAfterTheHostsClockAndItsIds() {
            RowState passed = row(false, null, T - 70, 0);

            ReservationStep issued = looked(START, Purpose.TAKE, passed, tick(T) + 100);
            ReservationStep ahead = protocol.looked(
                    START, new Looked(new Look(Purpose.TAKE, GAP), passed, null, -1, NOW + 300_000, "fresh"));

            assertThat(((Reserve) issued.command()).horizonMillis()).isEqualTo(T + 101 * TICK + LEASE);
            assertThat(((Reserve) ahead.command()).horizonMillis()).isEqualTo(T + 300_000 + LEASE + TICK);
        }

        @Test
        void isReservedFurtherIfIdsMayRunAheadAndNoIdReachesTheHorizon() {
            ReservationProtocol runningAhead = new ReservationProtocol(TERMS, RENEW, false, 5);
            RowState ahead = row(false, null, T + 70, 0);
            ReservationStep step =
                    runningAhead.looked(START, new Looked(new Look(Purpose.TAKE, GAP), ahead, null, -1, NOW, "fresh"));
            Reserve command = (Reserve) step.command();

            assertThat(command.horizonMillis()).isEqualTo(T + 70 + LEASE + 5 * TICK);
            ReservationState taken =
                    runningAhead.reserved(step.state(), command, true).state();
            assertThat(runningAhead.lastClockTick(taken)).isEqualTo(tick(T + 70 + LEASE) - 1);
        }

        @Test
        void isReservedWhoeverHoldsItByALease() {
            RowState leased = row(false, OTHER, T + 70, NOW + 20_000);

            asks(takes(leased), START, take(leased, T + 70));
        }

        @Test
        void isReservedIfItIsForNoProcess() {
            RowState free = row(true, null, T + 70, NOW + 20_000);

            asks(takes(free), START, take(free, T + 70));
        }

        @Test
        void isReservedAgainFromItsFirstTickOnIfAnUnansweredStatementHasTakenEffect() {
            RowState mine = row(true, MINE, T + LEASE, NOW + 20_000);
            ReservationState asked = START.asking(new Asked(MINE, 5, T + LEASE, tick(T) - 3));
            Reserve again = new Reserve(Purpose.TAKE, mine, FRESH, T + LEASE + TICK, tick(T) - 3);

            asks(looked(asked, Purpose.TAKE, mine, -1), asked, again);
        }

        @Test
        void isThatOfACopyIfNoStatementExplainsIt() {
            RowState copys = row(true, MINE, T + LEASE, NOW + 20_000);
            ReservationState otherHorizon = START.asking(new Asked(MINE, 5, T + LEASE + TICK, tick(T)));
            ReservationState otherFence = START.asking(new Asked(MINE, 4, T + LEASE, tick(T)));
            ReservationState otherToken = START.asking(new Asked(FRESH, 5, T + LEASE, tick(T)));

            for (ReservationState asked : List.of(START, otherHorizon, otherFence, otherToken)) {
                assertThat(looked(asked, Purpose.TAKE, copys, -1).notice()).isEqualTo(Notice.HELD);
            }
        }

        @Test
        void isWaitedForWhileItsHolderCountsAsAlive() {
            RowState last = row(true, OTHER, T, NOW + 1);
            RowState soon = row(true, OTHER, T, NOW + 998);
            RowState later = row(true, OTHER, T, NOW + 1_000);

            assertThat(takes(last)).isEqualTo(ReservationStep.rest(START, ofMillis(2), Notice.HELD, last));
            assertThat(takes(soon)).isEqualTo(ReservationStep.rest(START, ofMillis(999), Notice.HELD, soon));
            assertThat(takes(later)).isEqualTo(ReservationStep.rest(START, ofSeconds(1), Notice.HELD, later));
        }

        @Test
        void beginsAtTheHorizonOfADeadHolder() {
            RowState dead = row(true, OTHER, T + 70, NOW);

            asks(takes(dead), START, take(dead, T + 70));
        }

        @Test
        void beginsAsFarAheadAsTheIdsOfADeadHolderOfAnEarlyVersionWere() {
            // renewed 30 s before it counts as dead, with ids 2 s ahead of the store's time
            RowState dead = row(true, OF_AN_EARLY_VERSION, NOW - LEASE + 2_000, NOW);
            RowState behind = row(true, OF_AN_EARLY_VERSION, NOW - LEASE - 2_000, NOW);

            asks(takes(dead), START, take(dead, T + 2_000 + TICK));
            asks(takes(behind), START, take(behind, T + TICK));
        }

        @Test
        void thatDoesNotExistIsAnErrorThatNamesTheLayout() {
            assertThatThrownBy(() -> looked(START, Purpose.TAKE, null, -1))
                    .isInstanceOfSatisfying(
                            AllocationException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH))
                    .hasMessageContaining(LAYOUT.toString());
        }
    }

    @Nested
    class ARowOfAnotherServer {
        private FenceOff fenceOff(boolean held, long horizonMillis, long newHorizonMillis) {
            return new FenceOff(new Row(7, 5, horizonMillis, false, held), newHorizonMillis, GAP);
        }

        @Test
        void isFencedOffBeyondAllThatItMayHaveGranted() {
            sends(takes(ofAnotherServer(false, null, T + 70)), START, fenceOff(false, T + 70, T + GAP + 1_010));
            sends(takes(ofAnotherServer(false, OTHER, T + 70)), START, fenceOff(true, T + 70, T + GAP + 1_010));
        }

        @Test
        void keepsAHorizonThatIsBeyondThatAlready() {
            sends(takes(ofAnotherServer(false, null, T + 300_001)), START, fenceOff(false, T + 300_001, T + 300_010));
        }

        @Test
        void isReservedAtOnceWithItsTokenIfThisProcessHasReservedIt() {
            RowState mine = ofAnotherServer(true, MINE, T + 70);
            ReservationState asked = START.asking(new Asked(MINE, 5, T + 70, tick(T)));

            asks(
                    looked(asked, Purpose.TAKE, mine, -1),
                    asked,
                    new Reserve(Purpose.TAKE, mine, MINE, T + LEASE + TICK, tick(T)));
        }

        @Test
        void isReadAgainAtOnceAfterItWasFencedOffAndSoonIfAnotherProcessWasFaster() {
            rests(protocol.fencedOff(START, true), START, ZERO);
            rests(protocol.fencedOff(START, false), START, ofMillis(250));
        }
    }

    @Nested
    class ARenewal {
        private final RowState known = row(true, MINE, T - 500, NOW + 10_000);
        private final ReservationState reserved = START.confirmed(known, tick(T - 500));

        private Reserve renewal(RowState seen, long horizonMillis) {
            return new Reserve(Purpose.RENEW, seen, FRESH, horizonMillis, tick(T - 500));
        }

        @Test
        void movesTheHorizonALeaseAheadOfTheClockAndOfAllThatWasIssued() {
            RowState ahead = row(true, MINE, T + LEASE + 900, NOW);

            asks(looked(reserved, Purpose.RENEW, known, tick(T) - 7), reserved, renewal(known, T + LEASE + TICK));
            asks(looked(reserved, Purpose.RENEW, known, tick(T) + 7), reserved, renewal(known, T + LEASE + 8 * TICK));
            ReservationState further = START.confirmed(ahead, tick(T - 500));
            asks(looked(further, Purpose.RENEW, ahead, tick(T) + 7), further, renewal(ahead, T + LEASE + 900));
        }

        @Test
        void continuesWithItsOwnStatementThatWasNotAnswered() {
            RowState unseen = row(true, FRESH, T + 900, NOW);
            ReservationState asked = reserved.asking(new Asked(FRESH, 5, T + 900, tick(T - 500)));

            asks(looked(asked, Purpose.RENEW, unseen, tick(T) - 7), asked, renewal(unseen, T + LEASE + TICK));
        }

        @Test
        void provesThatTheRowHasChangedBeforeItStops() {
            RowState taken = row(true, OTHER, T + 900, NOW);
            RowState leased = row(false, MINE, T + 900, NOW);
            RowState copys = row(true, BASE + "-b", T + 900, NOW);
            long issued = tick(T) + 7;

            for (RowState seen : new @Nullable RowState[] {null, taken, leased, copys}) {
                asks(
                        looked(reserved, Purpose.RENEW, seen, issued),
                        reserved,
                        new Reserve(Purpose.PROVE, known, FRESH, T + LEASE + 8 * TICK, tick(T - 500)));
                assertThat(looked(reserved, Purpose.PROVE, seen, issued))
                        .isEqualTo(ReservationStep.rest(reserved.in(Phase.STOPPED), RENEW, Notice.LOST, seen));
            }
        }

        @Test
        void raisesItsRowAgainIfAServerThatHasTakenOverLostStatements() {
            RowState now = new RowState(NOW, 7, T - 100, true, true, MINE, NOW, "this");
            RowState earlier = new RowState(NOW, 6, T - 500, false, true, BASE + "-before", NOW, "this");
            ReservationState further = START.confirmed(now, tick(T - 500));

            asks(
                    looked(further, Purpose.PROVE, earlier, tick(T) - 7),
                    further,
                    new Reserve(Purpose.RENEW, earlier, BASE + "-before", T + LEASE + TICK, tick(T - 500)));
        }

        @Test
        void ofARowThatIsNotReservedDoesNothing() {
            rests(looked(START, Purpose.RENEW, known, 0), START, RENEW);
        }
    }

    @Nested
    class AnAnswer {
        private final RowState seen = row(false, null, T - 500, 0);
        private final ReservationState reserved = START.confirmed(row(true, MINE, T - 500, NOW), tick(T - 500));

        private Reserve command(Purpose purpose) {
            return new Reserve(purpose, seen, MINE, T + 20, tick(T) + 1);
        }

        /** Returns the row after an accepted change. */
        private RowState changed() {
            return new RowState(NOW, 6, T + 20, true, true, MINE, NOW + LEASE, "this");
        }

        @Test
        void reservesTheRowFromItsFirstTickOn() {
            ReservationState taken = START.confirmed(changed(), tick(T) + 1);

            assertThat(protocol.reserved(asking(START, command(Purpose.TAKE)), command(Purpose.TAKE), true))
                    .isEqualTo(ReservationStep.rest(taken, RENEW, Notice.RESERVED, changed()));
            assertThat(protocol.lastClockTick(taken)).isEqualTo(tick(T) + 1);
            rests(protocol.reserved(START, command(Purpose.TAKE), false), START, ofMillis(250));
            assertThat(protocol.lastClockTick(START)).isNegative();
        }

        @Test
        void renewsTheReservationAndKeepsWhatARefusedStatementAskedFor() {
            ReservationState asked = asking(reserved, command(Purpose.RENEW));

            assertThat(protocol.reserved(asked, command(Purpose.RENEW), true).state())
                    .isEqualTo(reserved.confirmed(changed(), tick(T) + 1));
            rests(protocol.reserved(asked, command(Purpose.RENEW), false), asked, ofMillis(250));
        }

        @Test
        void provesThatTheRowIsStillThisProcesssOrIsLookedAtOnceMore() {
            assertThat(protocol.reserved(reserved, command(Purpose.PROVE), true).state())
                    .isEqualTo(reserved.confirmed(changed(), tick(T) + 1));
            sends(protocol.reserved(reserved, command(Purpose.PROVE), false), reserved, new Look(Purpose.PROVE, 0));
        }

        @Test
        void endsTheReservation() {
            rests(protocol.reserved(reserved, command(Purpose.LEAVE), true), reserved, RENEW);
        }
    }

    @Nested
    class TheEnd {
        private final RowState mine = row(true, MINE, T + LEASE, NOW);
        private final ReservationState reserved = START.confirmed(mine, tick(T - 500));

        private Reserve leave(long horizonMillis) {
            return new Reserve(Purpose.LEAVE, mine, null, horizonMillis, tick(T - 500));
        }

        @Test
        void leavesTheRowReservedForNoProcessAboveAllThatWasIssued() {
            sends(protocol.leave(reserved), reserved, new Look(Purpose.LEAVE, 0));
            sends(looked(reserved, Purpose.LEAVE, mine, tick(T) + 7), reserved, leave(T + 8 * TICK));
        }

        @Test
        void neverLeavesItBelowItsFirstTickNorAboveItsHorizon() {
            sends(looked(reserved, Purpose.LEAVE, mine, tick(T) - 70), reserved, leave(T - 500));
            sends(looked(reserved, Purpose.LEAVE, mine, tick(T) + LEASE), reserved, leave(T + LEASE));
        }

        @Test
        void keepsTheHorizonIfTheProcessMayHaveBeenCopied() {
            ReservationProtocol keeping = new ReservationProtocol(TERMS, RENEW, true, 0);

            sends(
                    keeping.looked(
                            reserved,
                            new Looked(new Look(Purpose.LEAVE, 0), mine, tick(T - 500), tick(T), NOW, "fresh")),
                    reserved,
                    leave(T + LEASE));
        }

        @Test
        void leavesNothingIfTheRowIsNotThisProcesss() {
            rests(protocol.leave(START), START, RENEW);
            rests(looked(reserved, Purpose.LEAVE, null, 0), reserved, RENEW);
            rests(looked(reserved, Purpose.LEAVE, row(true, OTHER, T, NOW), 0), reserved, RENEW);
            rests(looked(reserved, Purpose.LEAVE, row(true, null, T, NOW), 0), reserved, RENEW);
        }
    }

    @Test
    void theLastTickOfTheLayoutIsReserved() {
        long last = (1L << 41) - 1;
        RowState late = row(true, null, EPOCH + (last - 3) * TICK, NOW);
        ReservationStep step = takes(late);
        Reserve command = (Reserve) step.command();

        assertThat(command.horizonMillis()).isEqualTo(EPOCH + (last + 1) * TICK);
        assertThat(protocol.lastClockTick(
                        protocol.reserved(step.state(), command, true).state()))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTickBeginsAtItsFirstMillisecond() {
        assertThat(protocol.millisOf(tick(T) + 1)).isEqualTo(T + TICK);
    }
}
