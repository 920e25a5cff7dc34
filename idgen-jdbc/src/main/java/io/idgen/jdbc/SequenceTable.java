package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * The classic sequence table with one row per name: {@code next_id} is the next id. A source takes ids only for calls
 * that wait for them, with one statement for all calls that wait at that moment. So there are almost no gaps: a crash
 * loses at most the ids of the statement in progress. The baseline for the other strategies.
 */
public final class SequenceTable extends TableAllocator<SequenceTable> {

    /** The default name of the table: {@value}. */
    public static final String DEFAULT_TABLE = "idgen_sequence";

    private final RowTable rows;

    /**
     * Creates an allocator on the table {@value #DEFAULT_TABLE}, for names that have a row. Opens no connection.
     *
     * @param dataSource provides connections that only idgen uses
     */
    public SequenceTable(DataSource dataSource) {
        this(
                RowTable.of(
                        new Transactions(dataSource, DEFAULT_TIMEOUT),
                        DEFAULT_TABLE,
                        CounterTable.SEQUENCE.number(),
                        List.of(CounterTable.SEQUENCE.source()),
                        null,
                        1),
                Options.of(DEFAULT_TABLE));
    }

    private SequenceTable(RowTable rows, Options options) {
        super(options);
        this.rows = rows;
    }

    @Override
    SequenceTable with(Options newOptions) {
        return new SequenceTable(rows.with(newOptions), newOptions);
    }

    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        long limit = options.limit();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Segment> segment = take(name, Math.min(wanted, limit - 1));
            if (segment.isPresent()) {
                return segment.get();
            }
            Optional<RowTable.Row> row = rows.read(name, List.of(CounterTable.SEQUENCE.number()), "");
            if (row.isEmpty()) {
                rows.make(name, first -> Map.of(CounterTable.SEQUENCE.number(), first));
                continue;
            }
            long next = row.get().next();
            if (next >= limit) {
                throw limitReached(name, limit, options.table() + ".next_id is " + next);
            }
            long left = Math.min(limit - next, row.get().left());
            if (left < wanted) {
                Optional<Segment> last = take(name, left);
                if (last.isPresent()) {
                    return last.get();
                }
            }
        }
        throw changedTooOften(name, options.table());
    }

    private Optional<Segment> take(String name, long count) {
        OptionalLong end = rows.add(name, List.of(name), count, options.limit() - count);
        return end.isPresent() ? Optional.of(new Segment(end.getAsLong() - count, (int) count, 1)) : Optional.empty();
    }

    /** {@inheritDoc} True: almost no gaps. */
    @Override
    public boolean isOnDemand() {
        return true;
    }
}
