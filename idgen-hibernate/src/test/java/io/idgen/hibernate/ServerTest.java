package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests worker ids and tables on a database that other processes can open. */
class ServerTest {

    @Test
    void whereHibernateMakesNoSchemaTheFirstIdNamesTheStatementsThatMakeTheTableOfWorkerIds() {
        try (Database database = Run.createSharedDatabase();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("hibernate.hbm2ddl.auto", "none")
                        .boot()) {
            assertThatThrownBy(() -> unit.persist(new Plain()))
                    .hasStackTraceContaining("IDGEN-403")
                    .hasStackTraceContaining(statement("CREATE TABLE IF NOT EXISTS idgen_worker", database))
                    .hasStackTraceContaining(statement("INSERT INTO idgen_worker", database));
        }
    }

    @Test
    void withNoSettingTwoInstancesOnOneDatabaseGetDifferentWorkerIds() {
        try (Database database = Run.createSharedDatabase()) {
            try (Unit one = Unit.of(Plain.class).url(database.url()).boot();
                    Unit other = Unit.of(Plain.class).url(database.url()).boot()) {
                Plain ofOne = new Plain();
                Plain ofOther = new Plain();
                one.persist(ofOne);
                other.persist(ofOther);

                assertThat(workerId(ofOne)).isNotEqualTo(workerId(ofOther));
            }
        }
    }

    private static List<Integer> workerId(Plain entity) {
        SnowflakeParts parts = SnowflakeLayout.IDGEN.parse(entity.id);
        return List.of(parts.datacenter(), parts.worker());
    }

    @Test
    void onAServerAWorkerIdThatIsSetIsTheOneThatIsLeased() throws SQLException {
        try (Database database = Run.createSharedDatabase();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.worker.id", "7")
                        .boot()) {
            Plain entity = new Plain();
            unit.persist(entity);
            assertThat(SnowflakeLayout.IDGEN.parse(entity.id).worker()).isEqualTo(7);
            assertThat(Sql.rows(
                            database.dataSource(), "SELECT worker_id FROM idgen_worker WHERE owner_token IS NOT NULL"))
                    .containsExactly("7");
        }
    }

    /** Returns the statement of idgen's script that begins with this text. */
    private static String statement(String beginning, Database database) {
        String script = new IdgenSchema(database.dataSource()).createScript();
        String statement = script.substring(script.indexOf(beginning));
        return statement.substring(0, statement.indexOf(';'));
    }
}
