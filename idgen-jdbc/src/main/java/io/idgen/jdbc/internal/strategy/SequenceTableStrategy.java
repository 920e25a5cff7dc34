package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.SequenceTable;
import io.idgen.jdbc.internal.sql.CounterTable;
import java.util.List;

/** {@code sequence-table}: each source uses a row of the sequence table, with one statement per id. */
public final class SequenceTableStrategy extends TableStrategy {
    /** Called by the service loader. */
    public SequenceTableStrategy() {
        super(CounterTable.SEQUENCE.strategy(), List.of());
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return JdbcAccess.tables(context, CounterTable.SEQUENCE.suffix());
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        String name = database.table(CounterTable.SEQUENCE.suffix());
        SequenceTable table = new SequenceTable(database.withSchema());
        return new Access(configured(table, name, context.get(JdbcAccess.TIMEOUT), context), database);
    }
}
