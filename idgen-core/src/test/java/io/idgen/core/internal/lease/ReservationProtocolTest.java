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
import io.idgen.core.internal.lease.ReservationState.Phase;
import io.idgen.core.internal.lease.ReservationStep.Notice;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
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
    private static final String MINE = "mine";
    private static final String OTHER = "other";

    private static final SnowflakeLayout LAYOUT =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(TICK), 41, 5, 5, 12);
    private static final long EPOCH = LAYOUT.epoch().toEpochMilli();

    /** A time on a boundary of ticks. */
    private static final long T = EPOCH + 1_000_000_000;

    /** A time 3 ms after the beginning of a tick. */
    private static final long NOW = T + 3;

    private static final ReservationState START = ReservationState.START;

    private final ReservationProtocol protocol =
            new ReservationProtocol(new Terms("test", LAYOUT, 7, 1, ofMillis(LEASE), ofSeconds(180)), MINE, RENEW);

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

    private ReservationStep looked(ReservationState state, Purpose purpose, @Nullable RowState seen, long highestTick) {
        return protocol.looked(state, new ReservationEvent.Looked(new Look(purpose, GAP), seen, highestTick));
    }

    private ReservationStep takes(RowState seen) {
        return looked(START, Purpose.TAKE, seen, -1);
    }

    private static Reserve take(RowState seen, long horizonMillis) {
        return new Reserve(Purpose.TAKE, seen, MINE, horizonMillis, seen);
    }

    private static void rests(ReservationStep step, ReservationState state, Duration pause) {
        assertThat(step).isEqualTo(ReservationStep.rest(state, pause));
    }

    private static void sends(ReservationStep step, ReservationState state, ReservationCommand command) {
        assertThat(step).isEqualTo(ReservationStep.send(state, command));
    }

    @Nested
    class ATurn {
        private final ReservationState reserved = START.taken(row(true, MINE, T, T), tick(T));

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
        void asksNothingOnceTheSourceIsClosed() {
            ReservationState closed = reserved.in(Phase.CLOSED);

            rests(protocol.turn(closed), closed, RENEW);
        }
    }

    @Nested
    class ARowToReserve {
        @Test
        void isReservedFromItsHorizonOnOrFromTheNextTick() {
            RowState ahead = row(false, null, T + 70, 0);
            RowState passed = row(false, null, T - 70, 0);

            sends(takes(ahead), START, take(ahead, T + 70));
            sends(takes(passed), START, take(passed, T + TICK));
        }

        @Test
        void isReservedWhoeverHoldsItByALease() {
            RowState leased = row(false, OTHER, T + 70, NOW + 20_000);

            sends(takes(leased), START, take(leased, T + 70));
        }

        @Test
        void isReservedIfItIsForNoProcess() {
            RowState free = row(true, null, T + 70, NOW + 20_000);

            sends(takes(free), START, take(free, T + 70));
        }

        @Test
        void isReservedIfItIsForThisProcessAlready() {
            RowState mine = row(true, MINE, T - 70, NOW + 20_000);

            sends(takes(mine), START, take(mine, T + TICK));
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
        void beginsAsFarAheadAsADeadHoldersIdsWere() {
            // renewed 30 s before it counts as dead, with ids 2 s ahead of the store's time
            RowState dead = row(true, OTHER, NOW - LEASE + 2_000, NOW);
            RowState behind = row(true, OTHER, NOW - LEASE - 2_000, NOW);

            sends(takes(dead), START, take(dead, T + 2_000 + TICK));
            sends(takes(behind), START, take(behind, T + TICK));
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
        void isReservedAtOnceIfThisProcessHasReservedIt() {
            RowState mine = ofAnotherServer(true, MINE, T + 70);

            sends(takes(mine), START, take(mine, T + 70));
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
        private final ReservationState reserved = START.taken(known, tick(T - 500));

        @Test
        void movesTheHorizonToTheNextTickOrAboveAllThatWasIssued() {
            RowState ahead = row(true, MINE, T + 900, NOW);

            sends(
                    looked(reserved, Purpose.RENEW, known, tick(T) - 7),
                    reserved,
                    new Reserve(Purpose.RENEW, known, MINE, T + TICK, known));
            sends(
                    looked(reserved, Purpose.RENEW, known, tick(T) + 7),
                    reserved,
                    new Reserve(Purpose.RENEW, known, MINE, T + 8 * TICK, known));
            sends(
                    looked(reserved, Purpose.RENEW, ahead, tick(T) + 7),
                    reserved,
                    new Reserve(Purpose.RENEW, ahead, MINE, T + 900, ahead));
        }

        @Test
        void provesThatTheRowHasChangedBeforeItStops() {
            RowState taken = row(true, OTHER, T + 900, NOW);
            RowState leased = row(false, MINE, T + 900, NOW);
            long issued = tick(T) + 7;

            for (RowState seen : new @Nullable RowState[] {null, taken, leased}) {
                sends(
                        looked(reserved, Purpose.RENEW, seen, issued),
                        reserved,
                        new Reserve(Purpose.PROVE, known, MINE, T + 8 * TICK, seen));
            }
        }

        @Test
        void ofARowThatIsNotReservedDoesNothing() {
            rests(looked(START, Purpose.RENEW, known, 0), START, RENEW);
        }
    }

    @Nested
    class AnAnswer {
        private final RowState seen = row(false, null, T - 500, 0);
        private final ReservationState reserved = START.taken(row(true, MINE, T - 500, NOW), tick(T - 500));

        private Reserve command(Purpose purpose) {
            return new Reserve(purpose, seen, MINE, T + 15, seen);
        }

        /** Returns the row after an accepted change. */
        private RowState changed() {
            return new RowState(NOW, 6, T + 15, true, true, MINE, NOW + LEASE, "this");
        }

        @Test
        void reservesTheRowFromTheFirstWholeTickOn() {
            ReservationState taken = START.taken(changed(), tick(T) + 2);

            assertThat(protocol.reserved(START, command(Purpose.TAKE), true))
                    .isEqualTo(ReservationStep.rest(taken, RENEW, Notice.RESERVED, changed()));
            rests(protocol.reserved(START, command(Purpose.TAKE), false), START, ofMillis(250));
        }

        @Test
        void renewsTheReservation() {
            rests(protocol.reserved(reserved, command(Purpose.RENEW), true), reserved.renewed(changed()), RENEW);
            rests(protocol.reserved(reserved, command(Purpose.RENEW), false), reserved, ofMillis(250));
        }

        @Test
        void provesThatTheRowIsStillThisProcesssOrIsLost() {
            rests(protocol.reserved(reserved, command(Purpose.PROVE), true), reserved.renewed(changed()), RENEW);
            assertThat(protocol.reserved(reserved, command(Purpose.PROVE), false))
                    .isEqualTo(ReservationStep.rest(reserved.in(Phase.STOPPED), RENEW, Notice.LOST, seen));
        }

        @Test
        void endsTheReservation() {
            rests(protocol.reserved(reserved, command(Purpose.LEAVE), true), reserved, RENEW);
        }
    }

    @Nested
    class TheEnd {
        private final RowState mine = row(true, MINE, T - 500, NOW);
        private final ReservationState reserved = START.taken(mine, tick(T - 500));

        @Test
        void leavesTheRowReservedForNoProcess() {
            sends(protocol.leave(reserved), reserved, new Look(Purpose.LEAVE, 0));
            sends(
                    looked(reserved, Purpose.LEAVE, mine, tick(T) + 7),
                    reserved,
                    new Reserve(Purpose.LEAVE, mine, null, T + 8 * TICK, mine));
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
    void aTickBeginsAtItsFirstMillisecond() {
        assertThat(protocol.millisOf(tick(T) + 1)).isEqualTo(T + TICK);
    }
}
