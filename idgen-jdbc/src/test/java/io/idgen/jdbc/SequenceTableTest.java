package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract with {@link SequenceTable}: it returns as many ids as requested. */
@ParameterizedClass
@EachDatabase
@Tag("matrix")
class SequenceTableTest extends TableAllocatorContract<SequenceTable> {

    @Override
    SequenceTable table(DataSource dataSource) {
        return new SequenceTable(dataSource);
    }

    @Override
    String tableName() {
        return "idgen_sequence";
    }

    @Override
    String nameColumn() {
        return "table_name";
    }

    @Override
    String nextColumn() {
        return "next_id";
    }

    @Override
    Segment run(long first, int wanted) {
        return new Segment(first, wanted, 1);
    }

    @Override
    void row(String name, long next) throws SQLException {
        Sql.execute(
                dataSource(), "INSERT INTO idgen_sequence (table_name, next_id) VALUES ('" + name + "', " + next + ")");
    }
}
