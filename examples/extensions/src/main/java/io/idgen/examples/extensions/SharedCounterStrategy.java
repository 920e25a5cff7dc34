package io.idgen.examples.extensions;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;

/**
 * {@code shared-counter}: reserves segments from a counter that all processes share, for example by {@code INCRBY} of
 * Redis.
 */
public final class SharedCounterStrategy implements IdStrategy {

    /** A counter for each name. Safe for many threads. */
    @FunctionalInterface
    public interface Counter {

        /**
         * Adds to a counter that began at 0. The new value is durable before this returns.
         *
         * @param name the name of the counter
         * @param count at least 1
         * @return the new value
         */
        long addAndGet(String name, int count);
    }

    private final Counter counter;

    /**
     * Creates a strategy over a counter.
     *
     * @param counter the same in all processes
     */
    public SharedCounterStrategy(Counter counter) {
        this.counter = counter;
    }

    @Override
    public String name() {
        return "shared-counter";
    }

    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(
                Long.MAX_VALUE, () -> context.segments(allocator()).build());
    }

    SegmentAllocator allocator() {
        return (name, wanted) -> {
            if (wanted < 1) {
                throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
            }
            long last = counter.addAndGet(name, wanted);
            return new Segment(last - wanted + 1, wanted, 1);
        };
    }
}
