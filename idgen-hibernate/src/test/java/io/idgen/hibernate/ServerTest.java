package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.SnowflakeLayout;
import io.idgen.jdbc.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import org.junit.jupiter.api.Test;

/** What is refused on a database that other processes can reach: not run on H2 in memory. */
class ServerTest {

    @Test
    void onAServerNothingSetIsRefusedAtBootWithTheWayOut() {
        try (Database database = Run.createDatabase()) {
            assertThatThrownBy(() -> Unit.of(Plain.class).url(database.url()).boot())
                    .hasStackTraceContaining("IDGEN-105")
                    .hasStackTraceContaining("set idgen.worker.id to a number from 0 to 31")
                    .hasStackTraceContaining("idgen.worker.assigner=single-process");
        }
    }

    @Test
    void onAServerAWorkerIdIsEnough() {
        try (Database database = Run.createDatabase();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.worker.id", "7")
                        .boot()) {
            Plain entity = new Plain();
            unit.persist(entity);
            assertThat(SnowflakeLayout.IDGEN.parse(entity.id).worker()).isEqualTo(7);
        }
    }

    @Test
    void aMissingTableFailsTheFirstIdWithTheStatementThatMakesIt() {
        try (Database database = Run.createDatabase();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.strategy", "segment")
                        .boot()) {
            String script = new IdgenSchema(database.dataSource()).createScript();
            String statement = script.substring(script.indexOf("CREATE TABLE IF NOT EXISTS idgen_segment"));
            assertThatThrownBy(() -> unit.persist(new Plain()))
                    .hasStackTraceContaining("IDGEN-403")
                    .hasStackTraceContaining(statement.substring(0, statement.indexOf(';')));
        }
    }
}
