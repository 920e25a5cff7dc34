package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Batches of Hibernate on MySQL, whose driver sends a statement for each row of a batch unless {@code
 * rewriteBatchedStatements} lets it send one for all.
 */
@Tag("nightly")
class RewrittenBatchesTest {
    private static final int PARENTS = 20;
    private static final int CHILDREN = 5;
    private static final int BATCH_SIZE = 50;

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "snowflake, rewriteBatchedStatements=true, 3",
        "segment, rewriteBatchedStatements=true, 3",
        "sequence-table, rewriteBatchedStatements=true, 3",
        "segment, rewriteBatchedStatements=true&useServerPrepStmts=true&cachePrepStmts=true, 3",
        "segment, rewriteBatchedStatements=false, 120"
    })
    void parentsAndChildrenAreOneStatementForEachBatchAndHaveTheirIds(String strategy, String option, long statements)
            throws SQLException {
        try (Database database = TestDatabase.MYSQL.create();
                Unit unit = Unit.of(Parent.class, Child.class)
                        .segments()
                        .url(database.url() + "&" + option)
                        .set("hibernate.jdbc.batch_size", BATCH_SIZE)
                        .set("idgen.strategy", strategy)
                        .boot()) {
            unit.persist(new Parent(1)); // creates the rows of the counters
            long before = inserts(database);
            Parent[] parents =
                    Stream.generate(() -> new Parent(CHILDREN)).limit(PARENTS).toArray(Parent[]::new);
            unit.persist((Object[]) parents);

            assertThat(inserts(database) - before).isEqualTo(statements);
            assertThat(Sql.rows(database.dataSource(), "SELECT id FROM parents"))
                    .containsAll(
                            Stream.of(parents).map(parent -> "" + parent.id).toList());
            assertThat(Sql.rows(database.dataSource(), "SELECT id, parent_id FROM children"))
                    .hasSize(1 + PARENTS * CHILDREN)
                    .doesNotHaveDuplicates()
                    .containsAll(Stream.of(parents)
                            .flatMap(parent -> parent.children.stream())
                            .map(child -> child.id + " | " + child.parent.id)
                            .toList());
        }
    }

    /** Returns how many INSERT statements the server has executed. */
    private static long inserts(Database database) throws SQLException {
        String row = Sql.rows(database.dataSource(), "SHOW GLOBAL STATUS LIKE 'Com_insert'")
                .get(0);
        return Long.parseLong(row.substring(row.indexOf("| ") + 2));
    }
}
