package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.RowHistory.Change;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which statements explain a change of a row. */
class RowHistoryTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final Heal HEAL_OF_WORKER_3 = new Heal(new Lease(3, 1, "7f-3", NOW + 3_000, 0, "a server"));

    private static final LeaseTerms TERMS = new LeaseTerms("test", SnowflakeLayout.IDGEN, 0, 1);

    private static Change change(WorkerRow before, WorkerRow after) {
        return new Change(before, after, NOW, null);
    }

    private static WorkerRow row(int workerId, long fence, long horizonMillis, long generation) {
        return new WorkerRow(
                workerId, "41-5-5-12", fence, null, 0, horizonMillis, "a server", generation, NOW - 10_000);
    }

    @Test
    void aHealFencesOffAllRowsAndRaisesTheirGenerationInTheSameOrAnotherStatement() {
        RowHistory twoStatements = new RowHistory(
                TERMS,
                List.of(
                        change(row(0, 3, NOW + 6_000, 0), row(0, 4, NOW + 9_000, 0)),
                        change(row(0, 4, NOW + 9_000, 0), row(0, 4, NOW + 9_000, 1))));
        RowHistory oneStatement =
                new RowHistory(TERMS, List.of(change(row(0, 3, NOW + 6_000, 0), row(0, 4, NOW + 9_000, 1))));

        assertThat(twoStatements.forbidden(List.of(HEAL_OF_WORKER_3))).isEmpty();
        assertThat(oneStatement.forbidden(List.of(HEAL_OF_WORKER_3))).isEmpty();
        assertThat(twoStatements.forbidden(List.of())).as("without a heal").isPresent();
    }

    @Test
    void noHealLowersAHorizon() {
        RowHistory lowered =
                new RowHistory(TERMS, List.of(change(row(0, 3, NOW + 6_000, 0), row(0, 4, NOW + 5_999, 0))));

        assertThat(lowered.forbidden(List.of(HEAL_OF_WORKER_3))).isPresent();
    }
}
