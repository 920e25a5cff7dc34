package io.idgen.cli.doctor;

import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same states on MySQL. */
@Tag("nightly")
class MySqlDoctorStatesTest extends DoctorStatesTest {
    @Override
    @BeforeAll
    void start() throws SQLException {
        FailbackPair pair = FailbackPair.ofMySql();
        startPair("MySQL", pair, Dialects.named("mysql").serverIdentity(), "@@global.gtid_executed");
        // to name the session that holds a lock
        Sql.execute(of(pair.url()), "GRANT SELECT, EXECUTE ON sys.* TO shop");
        Sql.execute(of(pair.url()), "GRANT SELECT ON performance_schema.* TO shop");
    }
}
