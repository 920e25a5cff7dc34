package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.test.InMemoryLeaseStore;
import io.idgen.test.ManualClock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A move between layouts of equal time bits. Before the first process starts, the store's clock steps back. */
class LayoutMoveTest {
    private static final Duration STEP = Duration.ofSeconds(2);

    private final ManualClock clock = new ManualClock("2026-11-25T03:00:00Z");
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(clock);

    /** A layout, and the only worker id of it that a process can lease. */
    private record Use(SnowflakeLayout layout, String otherWorkerIds) {
        Use(String layout, String otherWorkerIds) {
            this(SnowflakeLayout.parse(layout), otherWorkerIds);
        }
    }

    /** Ids of the two can have the same bits, because worker ids 2 and 3 of two bits begin with the bit of 1 of one. */
    static Stream<Arguments> moves() {
        Use second = new Use("41-1-21", "0");
        Use third = new Use("41-2-20", "0,1,3");
        return Stream.of(
                Arguments.argumentSet("to a row that exists", third, second),
                Arguments.argumentSet("to a row that is created later", second, third));
    }

    private long firstId(Use use) {
        try (Snowflake snowflake = Snowflake.builder()
                .layout(use.layout)
                .reserved(use.otherWorkerIds)
                .leasedFrom(store)
                .build()) {
            return snowflake.nextId();
        }
    }

    @ParameterizedTest
    @MethodSource("moves")
    void newIdsLieAboveTheOldOnes(Use from, Use to) {
        long last = firstId(from);
        clock.advance(STEP);

        Repair.of(store).changeLayout("default", from.layout, to.layout);
        clock.advance(STEP.multipliedBy(-2));

        assertThat(firstId(to)).isGreaterThan(last);
    }

    @ParameterizedTest
    @MethodSource("moves")
    void controlWithoutALowestHorizonNewIdsAreAmongTheOldOnes(Use from, Use to) {
        long last = firstId(from);
        clock.advance(STEP);

        LeaseAdmin admin = store.admin().orElseThrow();
        admin.changeLayout(admin.namespaces("default").get(0), to.layout, 0);
        clock.advance(STEP.multipliedBy(-2));

        assertThat(firstId(to)).isLessThan(last);
    }
}
