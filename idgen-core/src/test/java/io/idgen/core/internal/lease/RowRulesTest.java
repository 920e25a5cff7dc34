package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.RowRules.LeasedRow;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseStore.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules at their boundaries, each on its own. Times are milliseconds of the store. */
class RowRulesTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final String TOKEN = "7f-3";

    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void aHolderIsAliveUntilTheTimeThatItHasWritten(long untilMillis, boolean alive) {
        assertThat(RowRules.isAlive(row(TOKEN, NOW + untilMillis, NOW))).isEqualTo(alive);
    }

    @Test
    void aRowWithoutAHolderIsNotAlive() {
        assertThat(RowRules.isAlive(row(null, NOW + 60_000, NOW))).isFalse();
    }

    @Test
    void aLeasedRowCanBeLeasedInTheMillisecondAfterItsLease() {
        RowState leased = row(TOKEN, NOW + 30_000, NOW - 5_000);

        assertThat(new RowRules(SnowflakeLayout.IDGEN).leasableMillis(leased)).isEqualTo(NOW + 30_001);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 181_000, at least the gap and the margin above now",
        "181_001, 181_001, a horizon that is further ahead stays",
        "180_999, 181_000, one that is nearer is raised"
    })
    void aRowOfAnotherServerIsFencedOff(String horizon, String fencedOff, String why) {
        RowRules rules = new RowRules(SnowflakeLayout.IDGEN);

        assertThat(rules.fencedOffMillis(NOW + millis(horizon), NOW, 180_000))
                .as(why)
                .isEqualTo(NOW + millis(fencedOff));
    }

    @Test
    void aRowThatItsHolderLeavesEndsAfterTheLastUsedTick() {
        RowRules rules = new RowRules(SnowflakeLayout.IDGEN);
        long tick = rules.scale().tickAt(NOW);

        assertThat(rules.leftMillis(NOW + 60_000, tick, tick + 5)).isEqualTo(NOW + 6);
        assertThat(rules.leftMillis(NOW + 60_000, tick, tick - 1))
                .as("unused: its first tick is still free")
                .isEqualTo(NOW);
        assertThat(rules.leftMillis(NOW + 60_000, tick, tick - 9))
                .as("never below its first tick")
                .isEqualTo(NOW);
        assertThat(rules.leftMillis(NOW + 3, tick, tick + 5))
                .as("never above the horizon")
                .isEqualTo(NOW + 3);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 10, 0", "9, 10, 0", "10, 10, 10"})
    void boundariesOfTicksAreRoundedUpAndDown(long offset, long up, long down) {
        RowRules rules = new RowRules(SnowflakeLayout.SONYFLAKE);
        long boundary = SnowflakeLayout.SONYFLAKE.epoch().toEpochMilli() + 1_000_000;

        assertThat(rules.up(boundary + offset)).isEqualTo(boundary + up);
        assertThat(rules.down(boundary + offset)).isEqualTo(boundary + down);
    }

    @Test
    void aNamespaceThatMovesToLongTicksBeginsNoEarlierThanNow() {
        RowRules rules = new RowRules(SnowflakeLayout.SONYFLAKE);
        long boundary = SnowflakeLayout.SONYFLAKE.epoch().toEpochMilli() + 1_000_000;

        assertThat(rules.movedMillis(boundary + 1)).isEqualTo(boundary + 10);
    }

    @Test
    void noBoundaryIsAboveTheEndOfTheLayout() {
        RowRules rules = new RowRules(SnowflakeLayout.IDGEN);
        long end = SnowflakeLayout.IDGEN.end().toEpochMilli() + 1;

        assertThat(rules.down(end + 1_000)).isEqualTo(end);
        assertThat(rules.down(end - 1)).isEqualTo(end - 1);
    }

    private static long millis(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    /** The numbers are differences from the lease; that of the horizon before the grant, from its horizon. */
    @ParameterizedTest
    @CsvSource({
        "7f-3,  0,  0, -9,  0, false",
        "7f-3,  0,  1, -9,  0, false",
        "7f-3,  0, -1, -9,  0, true",
        "7f-3, -1,  0, -9,  0, true",
        "7f-3,  1,  0, -9,  0, false",
        "7f-3,  0,  0, -9, -1, true",
        "7f-3, -1, -1, -9,  1, false",
        "    ,  0,  0,  0,  0, true",
        "    ,  1,  0, -1,  0, true",
        "    ,  1,  0,  0,  0, false",
        "8a-1,  0,  9,  0,  0, true",
        "8a-1,  1,  9, -1,  0, true",
        "8a-1,  1,  9,  0,  0, false",
    })
    void aRowThatNoGrantCanHaveLeftLikeThisWasSetBack(
            @Nullable String token, long fence, long horizon, long grantedFrom, long generation, boolean setBack) {
        LeasedRow row =
                new LeasedRow(token, 7 + fence, NOW + horizon, NOW + grantedFrom, "a server", true, 2 + generation);

        assertThat(RowRules.isSetBack(row, new Lease(3, 7, TOKEN, NOW, 2, "a server")))
                .isEqualTo(setBack);
    }

    @ParameterizedTest
    @CsvSource({"a server, true, true", "a server, false, false", "another, true, false", ", true, false"})
    void onlyTheServerOfTheLeaseProvesThatARowWasSetBack(@Nullable String server, boolean answers, boolean setBack) {
        LeasedRow row = new LeasedRow(TOKEN, 6, NOW - 1, NOW - 9, server, answers, 2);

        assertThat(RowRules.isSetBack(row, new Lease(3, 7, TOKEN, NOW, 2, "a server")))
                .isEqualTo(setBack);
    }

    @ParameterizedTest
    @CsvSource({"7f-3, 7, true", "7f-3, 8, false", "8a-1, 7, false", ", 7, false"})
    void aLeaseHoldsTheRowWithItsTokenAndFence(@Nullable String token, long fence, boolean held) {
        LeasedRow row = new LeasedRow(token, fence, NOW, NOW, "a server", true, 0);

        assertThat(row.isHeldBy(new Lease(3, 7, TOKEN, NOW, 0, null))).isEqualTo(held);
    }

    private static RowState row(String token, long heldUntilMillis, long horizonMillis) {
        return new RowState(NOW, 3, horizonMillis, true, token, heldUntilMillis, "a process");
    }
}
