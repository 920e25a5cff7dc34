package io.idgen.jdbc;

import io.idgen.jdbc.testing.EachDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Takes only the ids that calls wait for. */
@ParameterizedClass
@EachDatabase
@Tag("matrix")
class OnDemandTest extends CountersContract {
    OnDemandTest() {
        super(1, 1);
    }

    @Override
    Counters counters(DataSource dataSource) {
        return new Counters(dataSource).onDemand();
    }
}
