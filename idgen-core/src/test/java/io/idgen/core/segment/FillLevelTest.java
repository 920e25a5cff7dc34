package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The log warns of the end of the ids below a limit while there is time to widen the column. */
class FillLevelTest {
    @AutoClose
    private final LogLines log = new LogLines(FillLevel.class);

    private List<String> warned() {
        return log.lines();
    }

    private static String warning(String name, String highest, int percent, String limit) {
        return "WARNING IDGEN-306: ids of '" + name + "' up to " + highest + " are reserved, " + percent
                + " % of those below the limit " + limit + "; widen the column and raise the limit before they end";
    }

    @Test
    void eachLevelIsLoggedOnce() {
        FillLevel level = new FillLevel("orders", 1_000);
        for (int highest = 1; highest < 1_000; highest++) {
            level.reached(highest);
        }

        assertThat(warned())
                .containsExactly(
                        warning("orders", "700", 70, "1000"),
                        warning("orders", "850", 85, "1000"),
                        warning("orders", "950", 95, "1000"));
    }

    @Test
    void aLeapOverLevelsLogsOnlyTheHighest() {
        FillLevel level = new FillLevel("orders", 1_000);
        level.reached(699);
        assertThat(warned()).isEmpty();

        level.reached(900);
        level.reached(901);
        assertThat(warned()).containsExactly(warning("orders", "900", 85, "1000"));

        level.reached(999);
        level.reached(999);
        assertThat(warned()).hasSize(2).last().isEqualTo(warning("orders", "999", 95, "1000"));
    }

    @Test
    void whatIsLeftIsAllBelowTheLimit() {
        assertThat(new FillLevel("orders", 100).left(0)).isEqualTo(99);
        assertThat(new FillLevel("orders", 100).left(98)).isEqualTo(1);
        assertThat(new FillLevel("orders", 100).left(99)).isZero();
        assertThat(new FillLevel("orders", Long.MAX_VALUE).left(0)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(new FillLevel("orders", Long.MAX_VALUE).left(Long.MAX_VALUE)).isNegative();
    }

    /** A row whose ids are below 1,000. */
    private static final class Below1000 extends MemoryRow {
        @Override
        public long limit() {
            return 1_000;
        }
    }

    @Test
    void aSourceWarnsOfWhatIsReserved() {
        MemoryRow row = new Below1000();
        row.next.set(681);
        try (SegmentIdSource ids =
                SegmentIdSource.builder(row, "orders").step(10).build()) {
            ids.warmUp();
        }

        assertThat(warned()).containsExactly(warning("orders", "700", 70, "1000"));
    }
}
