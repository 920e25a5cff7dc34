package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * The classic sequence table with one row per name: {@code next_id} is the next id, and each call takes that one. One
 * statement per id and almost no gaps: the baseline for the other strategies.
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
                        "next_id",
                        List.of("table_name"),
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

    /** {@inheritDoc} Returns one id, whatever {@code wanted} is. */
    @Override
    public Segment allocate(String name, int wanted) {
        checkWanted(wanted);
        long limit = options.limit();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            OptionalLong end = rows.add(name, List.of(name), 1, limit - 1);
            if (end.isPresent()) {
                return new Segment(end.getAsLong() - 1, 1, 1);
            }
            Optional<RowTable.Row> row = rows.read(name, List.of("next_id"), "");
            if (row.isEmpty()) {
                rows.make(name, first -> Map.of("next_id", first));
            } else if (row.get().next() >= limit) {
                throw limitReached(
                        name,
                        limit,
                        options.table() + ".next_id is " + row.get().next());
            }
        }
        throw changedTooOften(name, options.table());
    }

    /** {@inheritDoc} True: each call returns one id. */
    @Override
    public boolean isFixed() {
        return true;
    }
}
