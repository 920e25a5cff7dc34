package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachMySqlServer;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Triggers on idgen's tables, with which these servers do not return the new number of a row. */
@Tag("databases")
class TriggersTest {

    @ParameterizedTest
    @EachMySqlServer
    void aTriggerIsNamedByTheErrorAndByTheDoctor(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            SegmentTable table =
                    new SegmentTable(database.dataSource()).startingAt(1).withStep(10);
            table.allocate("orders", 10);
            assertThat(triggers(database)).isEmpty();
            Sql.execute(
                    database.dataSource(),
                    "CREATE TRIGGER audit AFTER UPDATE ON idgen_segment FOR EACH ROW SET @last = NEW.max_id");

            AllocationException e = assertThrows(AllocationException.class, () -> table.allocate("orders", 10));

            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
            assertThat(e).hasMessageContaining("has a trigger").hasMessageContaining("drop those of idgen_segment");
            assertThat(triggers(database)).singleElement().asString().startsWith("idgen_segment has the trigger audit");
            Sql.execute(database.dataSource(), "DROP TRIGGER audit");
            assertThat(triggers(database)).isEmpty();
            assertThat(table.allocate("orders", 10).first()).isGreaterThan(10);
        }
    }

    private static List<String> triggers(Database database) {
        return Doctor.of(new IdgenTables(database.dataSource()), InstantSource.system()).examine().stream()
                .filter(finding -> finding.level() == Level.WRONG)
                .filter(finding -> finding.subject().equals("triggers"))
                .map(Finding::text)
                .toList();
    }
}
