package io.idgen.jdbc;

import io.idgen.core.segment.Segment;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Runs the contract with instance 2 of 3 of a {@link SteppedSequence}: it returns as many ids as requested, with {@code
 * id % 3 == 2}.
 */
@ParameterizedClass
@EachDatabase
@Tag("nightly")
class SteppedSequenceTest extends TableAllocatorContract<SteppedSequence> {

    @Override
    SteppedSequence table(DataSource dataSource) {
        return new SteppedSequence(dataSource, 2, 3);
    }

    @Override
    String tableName() {
        return "idgen_stepped";
    }

    @Override
    String nameColumn() {
        return "seq_name";
    }

    @Override
    String nextColumn() {
        return "next_id";
    }

    @Override
    Segment run(long first, int wanted) {
        return new Segment(first, wanted, 3);
    }

    @Override
    long align(long id) {
        return id + Math.floorMod(2 - id, 3L);
    }

    @Override
    void row(String name, long next) throws SQLException {
        Sql.execute(
                dataSource(),
                "INSERT INTO idgen_stepped (seq_name, instance, instances, next_id) VALUES ('" + name + "', 2, 3, "
                        + next + ")");
    }
}
