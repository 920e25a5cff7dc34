package io.idgen.jdbc;

import io.idgen.jdbc.testing.EachDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Takes the ids of instance 2 of 3: those with {@code id % 3 == 2}. */
@ParameterizedClass
@EachDatabase
@Tag("nightly")
class InstanceOfThreeTest extends CountersContract {
    InstanceOfThreeTest() {
        super(2, 3);
    }

    @Override
    Counters counters(DataSource dataSource) {
        return new Counters(dataSource).instance(2, 3);
    }
}
