package io.idgen.migrate;

import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
class KilledBeforeInsertOnMariaDbTest extends KilledBeforeInsertContract {
    @Parameter
    private TestDatabase kind = TestDatabase.MARIADB;

    @Override
    Library library(int books) throws SQLException {
        return Library.with(kind, "BIGINT", books);
    }
}
