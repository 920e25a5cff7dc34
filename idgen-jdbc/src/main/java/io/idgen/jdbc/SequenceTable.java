package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.CounterTable;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The classic sequence table with one row per name: {@code next_id} is the next id. A source takes ids only for calls
 * that wait for them, with one statement for all calls that wait at that moment. So there are almost no gaps: a crash
 * loses at most the ids of the statement in progress. The baseline for the other strategies.
 */
public final class SequenceTable extends TableAllocator<SequenceTable> {

    private final RowTable rows;

    /**
     * Creates an allocator on the table {@code idgen_sequence}, for names that have a row. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public SequenceTable(DataSource dataSource) {
        this(RowTable.of(dataSource, CounterTable.SEQUENCE, List.of(CounterTable.SEQUENCE.source()), 1));
    }

    private SequenceTable(RowTable rows) {
        super(rows.options());
        this.rows = rows;
    }

    @Override
    SequenceTable with(Options newOptions) {
        return new SequenceTable(rows.with(newOptions));
    }

    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        return rows.allocate(
                name,
                most -> rows.take(name, List.of(name), Math.min(wanted, most)),
                row -> rows.left(name, row),
                () -> rows.make(name, first -> Map.of(CounterTable.SEQUENCE.number(), first)));
    }

    /** {@inheritDoc} True: almost no gaps. */
    @Override
    public boolean isOnDemand() {
        return true;
    }
}
