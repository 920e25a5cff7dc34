package io.idgen.core.segment;

import io.idgen.core.IdSource;
import io.idgen.test.IdSourceContract;
import java.util.concurrent.atomic.AtomicLong;

/** Segments of a table in memory, with the default step. */
class SegmentIdSourceContractTest extends IdSourceContract {

    @Override
    protected IdSource open() {
        AtomicLong next = new AtomicLong(1);
        return new SegmentIdSource((name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1), "orders");
    }
}
