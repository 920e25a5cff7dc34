package io.idgen.migrate;

import java.sql.SQLException;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"BIGINT GENERATED ALWAYS AS IDENTITY", "BIGSERIAL"})
class KilledBeforeInsertOnPostgreSqlTest extends KilledBeforeInsertContract {
    @Parameter
    private String type = "BIGSERIAL";

    @Override
    Library library(int books) throws SQLException {
        return BeforeInsertOnPostgreSqlTest.library(type, books);
    }
}
