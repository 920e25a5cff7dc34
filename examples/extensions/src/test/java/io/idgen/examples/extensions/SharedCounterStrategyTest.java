package io.idgen.examples.extensions;

import io.idgen.core.segment.SegmentAllocator;
import io.idgen.test.SegmentAllocatorContract;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

class SharedCounterStrategyTest extends SegmentAllocatorContract {
    private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();

    @Override
    protected SegmentAllocator allocator() {
        return new SharedCounterStrategy((name, count) ->
                        counters.computeIfAbsent(name, each -> new AtomicLong()).addAndGet(count))
                .allocator();
    }
}
