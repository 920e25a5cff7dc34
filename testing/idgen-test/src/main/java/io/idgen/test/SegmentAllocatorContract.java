package io.idgen.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.test.internal.ParallelThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the contract of {@link SegmentAllocator}. No id of a name is reserved twice, by any thread or process, and all
 * ids lie below the limit. Extend this class, and let each test begin with the names {@code orders} and {@code items}
 * unused.
 */
@Timeout(600)
public abstract class SegmentAllocatorContract {
    private static final int THREADS = 8;
    private static final int LIMIT = 125; // no sequence of runs in the test ends exactly here

    /** The timeout of calls, long enough for a slow store. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For subclasses. */
    protected SegmentAllocatorContract() {}

    /**
     * Creates an allocator for the names {@code orders} and {@code items}. A test may call this twice. The two
     * allocators then act as two processes that share the ids.
     *
     * @return an allocator
     */
    protected abstract SegmentAllocator allocator();

    /**
     * Creates an allocator whose ids are all below a limit.
     *
     * @param limit above 100
     * @return an allocator, or empty if this kind has no limit; empty if not overridden
     */
    protected Optional<SegmentAllocator> allocatorBelow(long limit) {
        return Optional.empty();
    }

    @Test
    void runsOfTwoProcessesFollowOneAnotherWithoutACommonId() {
        SegmentAllocator one = allocator();
        SegmentAllocator other = allocator();
        List<Segment> runs = new ArrayList<>();
        for (int wanted : new int[] {10, 1, 10, 1_000, 3, 1}) {
            runs.add(one.allocate("orders", wanted));
            runs.add(other.allocate("orders", 2 * wanted));
            one.allocate("items", 5);
        }

        assertDisjoint(List.of(runs));
        assertRising(one, runs);
    }

    @Test
    void oneToAsManyIdsAsAnIntHoldsCanBeWanted() {
        SegmentAllocator allocator = allocator();
        for (int wanted : new int[] {0, -1, Integer.MIN_VALUE}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> allocator.allocate("orders", wanted));
            assertEquals("wanted must be at least 1, got " + wanted, e.getMessage());
        }
        Segment run = allocator.allocate("orders", Integer.MAX_VALUE);
        Segment next = allocator.allocate("orders", 1);
        assertTrue(next.first() > run.last() || next.last() < run.first(), () -> run + " and " + next + " overlap");
    }

    @Test
    void eightThreadsGetRunsWithoutACommonId() throws Exception {
        SegmentAllocator allocator = allocator();
        List<List<Segment>> drawn = ParallelThreads.run(
                THREADS,
                thread -> IntStream.range(0, 25)
                        .mapToObj(i -> allocator.allocate("orders", 1 + (thread + i) % 10))
                        .toList());

        assertDisjoint(drawn);
        drawn.forEach(ofOneThread -> assertRising(allocator, ofOneThread));
    }

    @Test
    void idsThatAreHandedBackAreGivenToOneOtherCallerAtMost() {
        for (boolean anotherIsAbove : new boolean[] {false, true}) {
            SegmentAllocator mine = allocator();
            SegmentAllocator other = allocator();
            Segment run = mine.allocate("orders", 10);
            List<Segment> used = new ArrayList<>();
            if (run.count() > 1) {
                used.add(new Segment(run.first(), 1, run.stride()));
            }
            if (anotherIsAbove) {
                used.add(other.allocate("orders", 10));
            }
            mine.handBack("orders", List.of(lastOf(run, Math.max(1, run.count() - 1))));

            used.add(mine.allocate("orders", 30));
            used.add(other.allocate("orders", 30));
            assertDisjoint(List.of(used));
        }
    }

    @Test
    void eightThreadsThatRunIntoTheLimitShareTheIdsBelowIt() throws Exception {
        Optional<SegmentAllocator> limited = allocatorBelow(LIMIT);
        if (limited.isEmpty()) {
            assertEquals(Long.MAX_VALUE, allocator().limit(), "the limit of an allocator that knows none");
            return;
        }
        SegmentAllocator below = limited.get();
        assertEquals(LIMIT, below.limit());

        List<List<Segment>> drawn = ParallelThreads.run(THREADS, thread -> {
            List<Segment> mine = new ArrayList<>();
            AllocationException end = assertThrows(AllocationException.class, () -> {
                while (mine.size() < LIMIT) {
                    mine.add(below.allocate("orders", 7));
                }
            });
            assertEquals(ErrorCode.LIMIT_REACHED, end.code());
            return mine;
        });

        assertDisjoint(drawn);
        drawn.stream()
                .flatMap(List::stream)
                .forEach(run -> assertTrue(run.last() < LIMIT, () -> run + " is not below " + LIMIT));
        assertTrue(drawn.stream().anyMatch(mine -> !mine.isEmpty()), "ids below the limit");
    }

    @Test
    void aSourceOverItGivesDifferentIds() throws Exception {
        try (IdSource source = SegmentIdSource.builder(allocator(), "orders")
                .acquireTimeout(PATIENCE)
                .build()) {
            ParallelThreads.assertDistinct(ParallelThreads.run(THREADS, thread -> source.nextIds(10)));
        }
    }

    private static Segment lastOf(Segment run, int count) {
        return new Segment(run.last() - (count - 1L) * run.stride(), count, run.stride());
    }

    private static void assertRising(SegmentAllocator allocator, List<Segment> runs) {
        for (int i = 1; allocator.isRising() && i < runs.size(); i++) {
            if (runs.get(i).first() <= runs.get(i - 1).last()) {
                throw new AssertionError(runs.get(i) + " follows " + runs.get(i - 1)
                        + ", and isRising says that each run lies above all before it");
            }
        }
    }

    private static void assertDisjoint(List<List<Segment>> runs) {
        ParallelThreads.assertDistinct(runs.stream()
                .flatMap(List::stream)
                .map(run -> LongStream.iterate(run.first(), id -> id + run.stride())
                        .limit(run.count())
                        .toArray())
                .toList());
    }
}
