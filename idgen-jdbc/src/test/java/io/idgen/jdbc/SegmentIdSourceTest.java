package io.idgen.jdbc;

import io.idgen.core.IdSource;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.IdSourceContract;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract of every source with one over {@link SegmentTable}, on every database. */
@ParameterizedClass
@EachDatabase
@Tag("matrix")
class SegmentIdSourceTest extends IdSourceContract {
    @Parameter
    TestDatabase kind;

    @AutoClose
    private Database database;

    @BeforeEach
    void makeTable() {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
    }

    @Override
    protected IdSource open() {
        return SegmentIdSource.builder(new SegmentTable(database.dataSource()).startingAt(1), "orders")
                .step(100)
                .acquireTimeout(Duration.ofMinutes(1)) // on a busy machine, a refill takes longer than 3 s
                .build();
    }

    @Override
    protected int idsPerThread() {
        return 2_000;
    }
}
