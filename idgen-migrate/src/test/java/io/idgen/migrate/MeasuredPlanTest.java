package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.migrate.Migration.To;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan measures on copies of some rows, and changes nothing. */
@Tag("databases")
@Timeout(120)
@ParameterizedClass
@EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL})
class MeasuredPlanTest {
    @Parameter
    private TestDatabase kind = TestDatabase.POSTGRESQL;

    private Library library(int books) throws SQLException {
        return kind == TestDatabase.POSTGRESQL
                ? Library.with(Library.IDENTITY, books)
                : Library.with(kind, "INT", books);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theStepsThatTakeLongerForMoreRowsHaveATimeForEachTable(int steps) throws Exception {
        try (Library library = library(300)) {
            for (int step = 1; step <= steps; step++) {
                library.migration(To.BIGINT).apply(step, any -> {});
            }
            List<String> before = library.structure();
            List<String> statements = new ArrayList<>();

            List<Step> plan = Library.migration(recorded(library.dataSource(), statements), To.BIGINT)
                    .measuredPlan();

            Map<Integer, List<String>> tables = new TreeMap<>();
            plan.stream()
                    .filter(each -> !each.times().isEmpty())
                    .forEach(each -> tables.put(
                            each.number(),
                            each.times().stream()
                                    .map(timing -> timing.table().replace("public.", ""))
                                    .toList()));
            List<String> all = List.of("book", "loan", "review");
            assertThat(tables)
                    .isEqualTo(
                            kind == TestDatabase.POSTGRESQL
                                    ? Map.of(2, all, 3, all, 4, all, 5, all, 6, all)
                                    : steps == 0
                                            ? Map.of(
                                                    1,
                                                    all.subList(0, 1),
                                                    2,
                                                    all.subList(1, 2),
                                                    3,
                                                    all.subList(2, 3),
                                                    4,
                                                    all)
                                            : Map.of(2, all.subList(1, 2), 3, all.subList(2, 3), 4, all));
            assertThat(plan.stream().flatMap(each -> each.times().stream()))
                    .allMatch(each -> each.rows() > 0)
                    .allMatch(each -> each.millisPerMillion() > 0);
            assertThat(library.structure()).isEqualTo(before);
            assertThat(statements)
                    .as("only the temporary table is written")
                    .hasSizeGreaterThan(8)
                    .allMatch(
                            each -> each.matches(
                                    "(SET|RESET|SELECT|(CREATE|INSERT|UPDATE|ALTER|DROP)( [A-Z]+)* (pg_temp\\.)?idgen_sample)\\b.*"));
            assertThat(statements)
                    .filteredOn(each -> each.startsWith("INSERT"))
                    .hasSizeGreaterThan(1)
                    .allMatch(each -> each.matches(".* LIMIT (10000|\\d{1,4})"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTableWithoutRowsAndAFinishedMigrationHaveNoTimes(boolean isFinished) throws Exception {
        try (Library library = library(isFinished ? 5 : 1)) {
            if (isFinished) {
                library.apply(To.BIGINT);
            } else {
                library.execute("DELETE FROM review", "DELETE FROM loan", "DELETE FROM book");
            }
            assertThat(library.migration(To.BIGINT).measuredPlan())
                    .isNotEmpty()
                    .allMatch(each -> each.times().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "CREATE TEMPORARY TABLE idgen_sample (id INT)")
    void aSampleThatFailsLeavesThePlan(String change) throws Exception {
        try (Library library = library(5);
                Connection pooled = library.dataSource().getConnection();
                Statement statement = pooled.createStatement()) {
            statement.execute(change);
            DataSource pool = Wrapped.dataSource(
                    () -> Wrapped.wrap(Connection.class, pooled, call -> call.is("close") ? null : call.proceed()));
            Migration migration = Library.migration(pool, To.BIGINT);

            assertThatThrownBy(migration::measuredPlan)
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("idgen_sample");
            assertThat(migration.plan()).isNotEmpty();
        }
    }

    private static DataSource recorded(DataSource real, List<String> statements) {
        return Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, real.getConnection(), call -> {
            Object answer = call.proceed();
            return call.is("createStatement")
                    ? Wrapped.wrap(Statement.class, (Statement) answer, asked -> {
                        if (asked.is("execute")) {
                            statements.add(asked.arguments()[0].toString());
                        }
                        return asked.proceed();
                    })
                    : answer;
        }));
    }
}
