package io.idgen.cli.analysis;

import static io.idgen.cli.analysis.Difference.Field.DATACENTER;
import static io.idgen.cli.analysis.Difference.Field.SEQUENCE;
import static io.idgen.cli.analysis.Difference.Field.TIME;
import static io.idgen.cli.analysis.Difference.Field.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static final String TIME_A = "2026-03-01T10:00:00Z";
    private static final String TIME_B = "2026-03-01T10:00:01.500Z";

    private final IdInspector inspector = new IdInspector(Samples.CLOCK);

    @Test
    void namesEachFieldThatDiffers() {
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_B, 1, 2, 3)).fields())
                .containsExactly(TIME);
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_A, 2, 2, 3)).fields())
                .containsExactly(DATACENTER);
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_A, 1, 3, 3)).fields())
                .containsExactly(WORKER);
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_A, 1, 2, 4)).fields())
                .containsExactly(SEQUENCE);
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_B, 2, 3, 4)).fields())
                .containsExactly(TIME, DATACENTER, WORKER, SEQUENCE);
    }

    @Test
    void ordersIdsOfOneWorkerByTime() {
        long earlier = id(TIME_A, 1, 2, 9);
        long later = id(TIME_B, 1, 2, 0);
        assertThat(difference(earlier, later).gap()).isEqualTo(Duration.ofMillis(1500));
        assertThat(difference(later, earlier).gap()).isEqualTo(Duration.ofMillis(-1500));
        String text = "Two different ids: they differ in time and sequence. " + earlier
                + " was generated first, at 2026-03-01T10:00:00Z by worker (1,2); " + later
                + " was generated 1.500 s later by the same worker.";
        assertThat(difference(earlier, later).text()).isEqualTo(text);
        assertThat(difference(later, earlier).text()).isEqualTo(text);
    }

    @Test
    void ordersIdsOfTwoWorkersByTheirClocks() {
        long earlier = id(TIME_A, 1, 2, 9);
        long later = id(TIME_B, 1, 3, 9);
        assertThat(difference(later, earlier).text())
                .isEqualTo("Two different ids: they differ in time and worker. " + earlier
                        + " was generated first, at 2026-03-01T10:00:00Z by worker (1,2); " + later
                        + " was generated 1.500 s later by worker (1,3), if their clocks agree.");
    }

    @Test
    void ordersIdsOfOneTickByTheirSequence() {
        long earlier = Samples.id(SnowflakeLayout.SONYFLAKE, TIME_A, 0, 7, 2);
        long later = Samples.id(SnowflakeLayout.SONYFLAKE, TIME_A, 0, 7, 200);
        Difference difference = new Difference(
                inspector.inspect(later, SnowflakeLayout.SONYFLAKE),
                inspector.inspect(earlier, SnowflakeLayout.SONYFLAKE));
        assertThat(difference.gap()).isZero();
        assertThat(difference.text())
                .isEqualTo("Two different ids: they differ in sequence. Both were generated in the tick at"
                        + " 2026-03-01T10:00:00Z by worker (7): " + earlier + " first, as number 2, then " + later
                        + " as number 200.");
    }

    @Test
    void admitsThatWorkersOfOneTickHaveNoOrder() {
        assertThat(difference(id(TIME_A, 1, 2, 3), id(TIME_A, 1, 3, 0)).text())
                .contains(
                        "in the tick at 2026-03-01T10:00:00Z, by workers (1,2) and (1,3); the ids do not show which was first");
    }

    @Test
    void warnsThatJavaScriptHoldsBothAsOne() {
        long id = 690000000000000610L;
        assertThat(difference(id, 690000000000000600L).text()).contains("JavaScript stores both as the same number");
        assertThat(difference(id, id + 4096).text()).doesNotContain("JavaScript");
    }

    @Test
    void refusesEqualIdsAndTwoLayouts() {
        InspectedId a = inspector.inspect(1, SnowflakeLayout.IDGEN);
        InspectedId b = inspector.inspect(2, SnowflakeLayout.TWITTER);
        assertThatIllegalArgumentException().isThrownBy(() -> new Difference(a, a));
        assertThatIllegalArgumentException().isThrownBy(() -> new Difference(a, b));
    }

    private Difference difference(long one, long other) {
        return new Difference(
                inspector.inspect(one, SnowflakeLayout.IDGEN), inspector.inspect(other, SnowflakeLayout.IDGEN));
    }

    private static long id(String time, int datacenter, int worker, int sequence) {
        return Samples.id(SnowflakeLayout.IDGEN, time, datacenter, worker, sequence);
    }
}
