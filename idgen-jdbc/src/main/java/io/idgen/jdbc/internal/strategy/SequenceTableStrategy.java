package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.SourceContext;
import java.util.List;

/** {@code sequence-table}: each source takes just what the waiting calls need from its row. */
public final class SequenceTableStrategy extends TableStrategy {
    /** Called by the service loader. */
    public SequenceTableStrategy() {
        super("sequence-table", List.of());
    }

    @Override
    Access access(SourceContext context) {
        return new Access(counters(context).get(0).onDemand(), JdbcAccess.of(context));
    }
}
