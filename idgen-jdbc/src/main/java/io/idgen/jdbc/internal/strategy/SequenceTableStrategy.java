package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.core.segment.SegmentAllocator;
import java.util.List;

/** {@code sequence-table}: each source takes just what the waiting calls need from its row. */
public final class SequenceTableStrategy extends TableStrategy {
    /** Called by the service loader. */
    public SequenceTableStrategy() {
        super("sequence-table", List.of());
    }

    @Override
    SegmentAllocator allocator(SourceContext context) {
        return counters(context).get(0).onDemand();
    }
}
