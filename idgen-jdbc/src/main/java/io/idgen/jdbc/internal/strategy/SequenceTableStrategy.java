package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.SequenceTable;
import java.util.List;

/** {@code sequence-table}: each source uses a row of the sequence table, with one statement per id. */
public final class SequenceTableStrategy extends TableStrategy {
    private static final String OWN_TABLE = "sequence";

    /** Called by the service loader. */
    public SequenceTableStrategy() {
        super(List.of());
    }

    @Override
    public String name() {
        return "sequence-table";
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return JdbcAccess.tables(context, OWN_TABLE);
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        SequenceTable table = new SequenceTable(database.withSchema());
        return new Access(
                configured(table, database.table(OWN_TABLE), context.get(JdbcAccess.TIMEOUT), context), database);
    }
}
