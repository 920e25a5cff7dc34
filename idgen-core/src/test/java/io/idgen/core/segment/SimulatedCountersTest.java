package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedStore.Link;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.segment.SimulatedCounters.Flaw;
import io.idgen.test.SegmentAllocatorContract;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Checks the counters of the simulation by the contract for allocators of applications. Also tests two rules of handing
 * back, because random events violate them too rarely.
 */
class SimulatedCountersTest extends SegmentAllocatorContract {
    private static final int REACH = 100;
    private static final Duration WINDOW = Duration.ofMillis(SimulatedCounters.WINDOW_MILLIS);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private final Link oneAtATime = new Link() {
        @Override
        public synchronized <T> T call(String statement, Supplier<T> work) {
            return work.get();
        }
    };

    @Override
    protected SegmentAllocator allocator() {
        return new SimulatedCounters(database, oneAtATime, Flaw.NONE, 1L << 40);
    }

    @Test
    void idsOfAnotherServerAreNotTakenBackAndWouldRepeatIfTheyWere() {
        assertThat(firstIdAfterATakeoverAndAHandBack(Flaw.NONE)).isGreaterThan(250);
        assertThat(firstIdAfterATakeoverAndAHandBack(Flaw.HANDED_BACK_ON_ANY_SERVER))
                .isLessThanOrEqualTo(250);
    }

    /** Grants the ids up to 250, and loses nearly two windows of them. Then hands back the 51 ids before those. */
    private long firstIdAfterATakeoverAndAHandBack(Flaw flaw) {
        database.counters().set("orders", null);
        SimulatedCounters idle = counters(flaw);
        Segment inUse = idle.allocate("orders", 50);
        time.pass(WINDOW);
        Segment inReserve = idle.allocate("orders", 1);
        time.pass(WINDOW.minusMinutes(1));
        counters(flaw).allocate("orders", REACH - 1);
        time.pass(Duration.ofMinutes(1));
        assertThat(counters(flaw).allocate("orders", REACH).last()).isEqualTo(250);
        database.failOver(Duration.ofMinutes(2));
        idle.handBack("orders", List.of(inReserve, inUse));
        return counters(flaw).allocate("orders", 1).first();
    }

    @Test
    void idsAreHandedBackOnceAndWouldRepeatOtherwise() {
        assertThat(firstIdAfterALostAnswer(Flaw.NONE)).isGreaterThan(20);
        assertThat(firstIdAfterALostAnswer(Flaw.HANDED_BACK_AGAIN)).isLessThanOrEqualTo(20);
    }

    /** Hands ids back, and another process takes them before the answer is lost. */
    private long firstIdAfterALostAnswer(Flaw flaw) {
        database.counters().set("orders", null);
        SimulatedCounters closing = new SimulatedCounters(
                database,
                new Link() {
                    private boolean lost;

                    @Override
                    public <T> T call(String statement, Supplier<T> work) {
                        T answer = work.get();
                        if (statement.startsWith("hand-back") && !lost) {
                            lost = true;
                            counters(Flaw.NONE).allocate("orders", 10);
                            throw new StoreUnavailableException("no answer");
                        }
                        return answer;
                    }
                },
                flaw,
                REACH);
        closing.allocate("orders", 10);
        Segment unused = closing.allocate("orders", 10);
        try {
            closing.handBack("orders", List.of(unused));
        } catch (StoreUnavailableException e) {
            assertThat(flaw).isEqualTo(Flaw.NONE);
        }
        return counters(Flaw.NONE).allocate("orders", 1).first();
    }

    private SimulatedCounters counters(Flaw flaw) {
        return new SimulatedCounters(database, Link.DIRECT, flaw, REACH);
    }
}
