package io.idgen.test;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** An allocator in memory that takes ids back where possible, as a table does. */
class SegmentAllocatorContractTest extends SegmentAllocatorContract {
    private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();

    private AtomicLong counter(String name) {
        return counters.computeIfAbsent(name, each -> new AtomicLong(1));
    }

    @Override
    protected SegmentAllocator allocator() {
        return allocatorBelow(Long.MAX_VALUE).orElseThrow();
    }

    @Override
    protected Optional<SegmentAllocator> allocatorBelow(long limit) {
        return Optional.of(new SegmentAllocator() {
            @Override
            public Segment allocate(String name, int wanted) {
                if (wanted < 1) {
                    throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
                }
                long first = counter(name).getAndUpdate(next -> Math.min(limit, next + wanted));
                if (first >= limit) {
                    throw new AllocationException(ErrorCode.LIMIT_REACHED, "no id of " + name + " is left");
                }
                return new Segment(first, (int) Math.min(wanted, limit - first), 1);
            }

            @Override
            public void handBack(String name, List<Segment> newestFirst) {
                newestFirst.forEach(run -> counter(name).compareAndSet(run.last() + 1, run.first()));
            }

            @Override
            public long limit() {
                return limit;
            }
        });
    }
}
