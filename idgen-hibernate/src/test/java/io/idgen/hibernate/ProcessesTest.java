package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs that share a database, with {@code @SnowflakeId} and without settings of idgen. */
class ProcessesTest {
    private static final int PARENTS = 500;
    private static final int CHILDREN = 5;

    /** Returns the numbers of processes: 2 on every version of Hibernate, and also 5 if the database is a server. */
    static IntStream counts() {
        return Run.KIND == TestDatabase.H2 ? IntStream.of(2) : IntStream.of(2, 5);
    }

    @ParameterizedTest
    @MethodSource("counts")
    void eachHasAWorkerIdOfItsOwnAndNoIdIsGivenTwice(int count) throws Exception {
        List<ChildJvm> processes = new ArrayList<>();
        try (Database database = Run.createSharedDatabase()) {
            new IdgenSchema(database.dataSource()).create();
            try (Unit tables =
                    Unit.of(Parent.class, Child.class).url(database.url()).boot()) {
                for (int i = 0; i < count; i++) {
                    processes.add(ChildJvm.start(
                            PersistingProcess.class,
                            List.of(database.url(), String.valueOf(PARENTS), String.valueOf(CHILDREN))));
                }
                for (ChildJvm process : processes) {
                    process.awaits(PersistingProcess.READY);
                }
                for (ChildJvm process : processes) {
                    process.tell("now");
                }
                List<Long> given = new ArrayList<>();
                TreeSet<Integer> workerIds = new TreeSet<>();
                for (ChildJvm process : processes) {
                    List<Long> ids = process.awaitsEnd().stream()
                            .filter(line -> line.matches("\\d+"))
                            .map(Long::valueOf)
                            .toList();
                    assertThat(ids.stream().map(ProcessesTest::workerId).distinct())
                            .as("worker ids of one process")
                            .hasSize(1);
                    workerIds.add(workerId(ids.get(0)));
                    given.addAll(ids);
                }

                assertThat(workerIds).hasSize(count);
                assertThat(given)
                        .hasSize(count * PARENTS * (1 + CHILDREN))
                        .doesNotHaveDuplicates()
                        .hasSameElementsAs(idsIn(tables));
                System.out.printf(
                        "%s: %d processes without settings, worker ids %s, %d ids, no duplicate%n",
                        Run.name(), count, workerIds, given.size());
            }
        } finally {
            processes.forEach(ChildJvm::close);
        }
    }

    private static List<Long> idsIn(Unit unit) {
        return unit.factory().fromTransaction(session -> {
            List<Long> ids = new ArrayList<>();
            for (String entity : List.of("Parent", "Child")) {
                ids.addAll(session.createSelectionQuery("select e.id from " + entity + " e", Long.class)
                        .getResultList());
            }
            return ids;
        });
    }

    /** Returns the worker id as in the table of worker ids, with the datacenter id in the upper bits. */
    private static int workerId(long id) {
        SnowflakeParts parts = SnowflakeLayout.IDGEN.parse(id);
        return (parts.datacenter() << SnowflakeLayout.IDGEN.workerBits()) + parts.worker();
    }
}
