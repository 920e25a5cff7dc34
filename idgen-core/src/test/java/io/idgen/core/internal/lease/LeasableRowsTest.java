package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.AllocationException;
import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the time at which the doctor expects a lease with the time at which the protocol acquires the row. */
class LeasableRowsTest {
    private static final SnowflakeLayout LAYOUT =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(10), 41, 5, 5, 12);
    private static final long NOW = LAYOUT.epoch().toEpochMilli() + 1_000_000_000;
    private static final long RETRY = 100;

    private final LeaseProtocol protocol = new LeaseProtocol(new LeaseTerms("test", LAYOUT, 0, 1));

    /** Returns the time at which a process that starts now acquires the row. */
    private long acquiredMillis(RowState state) {
        long now = NOW;
        Row row = new Row(1, 5, state.horizonMillis(), state.sameServer(), state.token() != null, 0, "server");
        while (true) {
            boolean free =
                    state.token() == null || state.heldUntilMillis() < now || row.sameServer() != state.sameServer();
            LeaseStep step;
            try {
                step = protocol.found(
                        LeaseState.START,
                        new LeaseEvent.RowsFound(new Candidates(now, free ? List.of(row) : List.of(), ""), "fresh", 0));
            } catch (AllocationException e) { // the horizon is far ahead
                now += RETRY;
                continue;
            }
            if (step.command() instanceof Acquire) {
                return now;
            }
            if (step.command() instanceof FenceOff fence) {
                row = new Row(1, 6, fence.horizonMillis(), true, false, 0, "server");
            } else {
                now += free ? Math.max(1, step.pause().toMillis()) : 1;
            }
        }
    }

    private static RowState row(long horizonMillis, boolean sameServer, @Nullable String token, long heldUntilMillis) {
        return new RowState(NOW, 5, horizonMillis, sameServer, token, heldUntilMillis, "a process");
    }

    @ParameterizedTest
    @CsvSource({
        // horizon ahead of now, same server, end of the lease after now (empty without a token), expected wait
        "     0, true,         ,      0",
        "-50000, true,         ,      0",
        "179980, true,         ,      0",
        "179990, true,         ,      1",
        "186010, true,         ,   6021",
        "999990, true,         , 820001",
        " 15000, true,    -1000,      0",
        " 15000, true,    20000,  20001",
        "179990, true,        0,      1",
        "     0, false,        ,   6011",
        " 15000, false,   -1000,   6011",
        " 15000, false,   20000,  26012",
        " 60000, false,        ,  66011",
        "999990, false,   -1000, 820001",
    })
    void aRowIsLeasableWhenTheProtocolAcquiresIt(
            long ahead, boolean sameServer, @Nullable Long heldFor, long expected) {
        RowState row =
                row(NOW + ahead, sameServer, heldFor == null ? null : "a-token", heldFor == null ? 0 : NOW + heldFor);

        long leasable = new RowRules(LAYOUT).leasableMillis(row) - NOW;

        assertThat(leasable - Math.max(0, expected)).as("in %s ms", leasable).isBetween(-10L, 10L);
        assertThat(acquiredMillis(row) - NOW)
                .isBetween(leasable - 2 * LAYOUT.tick().toMillis(), leasable + RETRY);
    }
}
