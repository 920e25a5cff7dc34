package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code idgen grow} with databases in the memory of this process. */
class GrowTest {
    private final List<DataSource> databases =
            IntStream.rangeClosed(1, 3).mapToObj(i -> database(url(i))).toList();

    private static String url(int number) {
        return "jdbc:h2:mem:grow" + number + ";DB_CLOSE_DELAY=-1";
    }

    private static DataSource database(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("sa");
        return dataSource;
    }

    @BeforeEach
    void open() {
        databases.forEach(each -> new IdgenSchema(each).create());
        SteppedSequence old =
                SteppedSequence.over(databases.subList(0, 2)).startingAt(1).withReach(1_000);
        old.allocate("orders", 1);
        old.allocate("orders", 1);
    }

    @AfterEach
    void drop() throws Exception {
        for (DataSource each : databases) {
            Sql.execute(each, "SHUTDOWN");
        }
    }

    private static Run grow(String... options) {
        List<String> all = new ArrayList<>(List.of("grow", "--user", "sa"));
        for (int i = 1; i <= 3; i++) {
            all.add("--url=" + url(i));
        }
        all.addAll(List.of(options));
        return Run.of(all.toArray(String[]::new));
    }

    @Test
    void itPrintsEachChangeAndASecondRunHasNothingToDo() {
        String planned = grow("--dry-run").printed();
        String made = grow("--yes").printed();

        assertThat(planned).endsWith("dry run, would make 8 changes" + System.lineSeparator());
        assertThat(made.lines())
                .containsSubsequence(
                        "database 1 of 3  orders, generation 1",
                        "  before  instance 1 of 2, next id 3",
                        "  after   instance 1 of 2, next id 3, ids end below 4004",
                        "database 3 of 3  orders, generation 2",
                        "  before  no row",
                        "  after   instance 3 of 3, not open, next id 4005",
                        "  before  instance 3 of 3, not open, next id 4005",
                        "  after   instance 3 of 3, next id 4005",
                        "all sources have 3 databases, after 8 changes; start processes with the new list now");
        assertThat(made.lines().limit(24))
                .containsExactlyElementsOf(planned.lines().limit(24).toList());
        assertThat(SteppedSequence.over(databases).allocate("orders", 1).first())
                .isGreaterThanOrEqualTo(4_004);
        assertThat(grow("--yes", "--json").printed().strip()).isEqualTo("{\"changes\":[],\"dryRun\":false}");
    }

    @Test
    void theRoomDecidesWhereTheNewIdsBegin() {
        assertThat(grow("--yes", "--room", "50", "--replica-lag", "0s").printed())
                .contains("ids end below 104");
    }

    @Test
    void itNeedsAConfirmationAndReportsWhatIsWrongWithItsOptions() {
        assertThat(grow().refusal()).contains("--yes", "--dry-run");
        assertThat(grow("--yes", "--room", "0").refusal()).contains("the room must be at least 1 id, got 0");
        assertThat(grow("--yes", "--replica-lag", "soon").refusal()).contains("--replica-lag", "soon");
        assertThat(Run.of("grow", "--yes", "--user", "sa", "--url", url(1)).refusal())
                .contains("a set grows to two databases at least, got 1");
        assertThat(Run.of("grow", "--yes", "--user", "sa", "--url", url(2), "--url", url(1), "--url", url(3))
                        .refusal())
                .contains("IDGEN-408", "name the old databases in their order");
        assertThat(Run.of("grow", "--yes").refusal()).contains("--url");
    }

    private static String refusalWithThird(String url) {
        return Run.of("grow", "--yes", "--user", "sa", "--url", url(1), "--url", url(2), "--url", url)
                .refusal();
    }

    @Test
    void aDatabaseThatDoesNotAnswerOrHasNoTableIsNamed() {
        assertThat(refusalWithThird("jdbc:postgresql://127.0.0.1:1/shop"))
                .contains("database 3 of 3 does not answer", "repeat idgen grow with the same list");
        assertThat(refusalWithThird("jdbc:h2:mem:none"))
                .contains("IDGEN-403: in database 3 of 3, idgen_stepped does not exist; create the tables");
    }
}
