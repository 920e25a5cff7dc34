package io.idgen.hibernate;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Generates numbers from 1000, and counts how often a source is opened and closed. */
final class CountingStrategy implements IdStrategy {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public SourcePlan plan(SourceContext context) {
        return new SourcePlan(Long.MAX_VALUE, () -> open(context));
    }

    IdSource open(SourceContext context) {
        opened.incrementAndGet();
        return new From(1000, closed);
    }

    /** Returns a source without its strategy. */
    static IdSource from(long first) {
        return new From(first, new AtomicInteger());
    }

    private static final class From implements IdSource {
        private final AtomicLong next;
        private final AtomicInteger closed;

        From(long first, AtomicInteger closed) {
            this.next = new AtomicLong(first);
            this.closed = closed;
        }

        @Override
        public long nextId() {
            return next.getAndIncrement();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
