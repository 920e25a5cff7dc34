package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.SequenceTable;
import io.idgen.jdbc.internal.sql.SqlName;
import java.util.List;
import java.util.Optional;

/** {@code sequence-table}: each source uses a row of the sequence table, with one statement per id. */
public final class SequenceTableStrategy extends TableStrategy {
    private static final Setting<SqlName> TABLE = Setting.of(
            "sequence-table.table",
            "The table of the strategy sequence-table, optionally with its schema; the default is idgen_sequence.",
            text -> SqlName.parse(text, 1, 3));

    private static final String OWN_TABLE = "sequence";

    /** Called by the service loader. */
    public SequenceTableStrategy() {
        super(List.of(TABLE));
    }

    @Override
    public String name() {
        return "sequence-table";
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return context.find(TABLE).isPresent() ? List.of() : JdbcAccess.tables(context, OWN_TABLE);
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        Optional<SqlName> other = context.find(TABLE);
        SequenceTable table = configured(
                new SequenceTable(other.isPresent() ? database.dataSource() : database.withSchema()),
                other.map(SqlName::toString).orElseGet(() -> database.table(OWN_TABLE)),
                context.get(JdbcAccess.TIMEOUT),
                context);
        return new Access(table, database);
    }
}
