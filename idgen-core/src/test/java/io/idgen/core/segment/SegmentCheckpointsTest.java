package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdUnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crac.Core;
import org.junit.jupiter.api.Test;

/**
 * A process is copied with its memory, for example by a CRaC checkpoint that is restored twice. Without the hook, both
 * generate the ids of the segments that it held.
 */
class SegmentCheckpointsTest {
    private static final int IDS = 40;

    private final MemoryRow row = new MemoryRow();

    private SegmentIdSource.Builder builder(SegmentAllocator allocator) {
        return SegmentIdSource.builder(allocator, "orders").step(10).maxStep(10);
    }

    private SegmentIdSource open() {
        return builder(row).acquireTimeout(Duration.ofSeconds(30)).build();
    }

    // ---- copies ----

    /** Gives a source all ids that another one holds in its memory: in use and in reserve. */
    private static void copy(SegmentIdSource original, SegmentIdSource copy) {
        Stock from = original.supply.stock;
        Stock to = copy.supply.stock;
        Cursor inUse = from.inUse;
        if (inUse != null) {
            Cursor same = new Cursor(inUse.segment(), inUse.sinceNanos(), 0);
            if (inUse.left() == 0) {
                same.seal();
            } else {
                same.take((int) (inUse.segment().count() - inUse.left()));
            }
            to.inUse = same;
        }
        to.reserve = from.reserve;
        to.highest = from.highest;
        to.publish();
    }

    private static int repeats(SegmentIdSource one, SegmentIdSource other) {
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < IDS; i++) {
            all.add(one.nextId());
            all.add(other.nextId());
        }
        return 2 * IDS - all.size();
    }

    @Test
    void theCopyOfASuspendedSourceRepeatsNoId() throws Exception {
        try (SegmentIdSource original = open();
                SegmentIdSource copy = open()) {
            original.warmUp();
            original.nextId();
            original.supply.suspend();
            copy.supply.suspend();
            copy(original, copy);
            original.supply.resume();
            copy.supply.resume();

            assertThat(repeats(original, copy)).isZero();
        }
    }

    @Test
    void theCopyOfASourceThatWasNotSuspendedRepeatsIds() throws Exception {
        try (SegmentIdSource original = open();
                SegmentIdSource copy = open()) {
            original.warmUp();
            original.nextId();
            copy(original, copy);

            assertThat(repeats(original, copy)).isEqualTo(19);
        }
    }

    // ---- calls and refills ----

    @Test
    void idsAreNotHandedBackAndNoneIsFetchedUntilTheRestore() {
        try (SegmentIdSource ids =
                builder(row).acquireTimeout(Duration.ofMillis(200)).build()) {
            patient(ids);
            ids.supply.suspend();
            int before = row.wanted.size();

            IdUnavailableException late = assertThrows(IdUnavailableException.class, ids::nextId);
            assertThat(late).hasMessageContaining("a checkpoint of this process is under way");
            assertThat(row.handedBack).isEmpty();
            assertThat(row.wanted.size()).as("refills").isBetween(before, before + 1); // one may have been planned
            long next = row.next.get();
            ids.supply.resume();
            assertThat(patient(ids)).isGreaterThanOrEqualTo(next);
        }
    }

    private static long patient(SegmentIdSource ids) {
        while (true) { // the test's timeout ends this loop
            try {
                return ids.nextId();
            } catch (IdUnavailableException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aSegmentThatArrivesAfterTheCheckpointBeganIsDiscarded() throws Exception {
        try (SegmentIdSource ids = open()) {
            row.hold();
            CompletableFuture<Long> call = CompletableFuture.supplyAsync(ids::nextId);
            row.isCalled(1);
            ids.supply.suspend();
            ids.supply.resume();
            row.letGo();

            assertThat(call.get()).isEqualTo(11);
        }
    }

    /** An allocator may keep ids in memory too, also from a statement that was under way when the checkpoint began. */
    @Test
    void theAllocatorForgetsWhatItHasFetchedInAdvanceAtOnceAndAfterTheStatementUnderWay() throws Exception {
        AtomicInteger forgotten = new AtomicInteger();
        SegmentAllocator allocator = new SegmentAllocator() {
            @Override
            public Segment allocate(String name, int wanted) {
                return row.allocate(name, wanted);
            }

            @Override
            public void forget(String name) {
                assertThat(name).isEqualTo("orders");
                forgotten.incrementAndGet();
            }
        };
        try (SegmentIdSource ids =
                builder(allocator).acquireTimeout(Duration.ofSeconds(30)).build()) {
            row.hold();
            CompletableFuture<Long> call = CompletableFuture.supplyAsync(ids::nextId);
            row.isCalled(1);
            ids.supply.suspend();
            assertThat(forgotten).hasValue(1);
            ids.supply.resume();
            row.letGo();

            assertThat(call.get()).isEqualTo(11);
            assertThat(forgotten).hasValue(2);
        }
    }

    // ---- org.crac ----

    @Test
    void sourcesDiscardTheirIdsForCheckpointsOfTheJvm() throws Exception {
        try (SegmentIdSource ids = open();
                SegmentIdSource onDemand = builder(MemoryRow.fixed(5)).build()) {
            ids.warmUp();
            assertThat(ids.nextId()).isEqualTo(1);
            assertThat(onDemand.nextId()).isEqualTo(1);
            AtomicLong next = new AtomicLong(row.next.get());
            System.gc(); // the JVM references registered resources weakly

            Core.getGlobalContext().beforeCheckpoint();
            Core.getGlobalContext().afterRestore();

            assertThat(ids.nextId()).isGreaterThanOrEqualTo(next.get());
            assertThat(onDemand.nextId()).isEqualTo(6);
        }
    }
}
