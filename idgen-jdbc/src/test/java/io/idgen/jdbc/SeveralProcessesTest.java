package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Together;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that start to generate ids at the same time, on one database. */
@Timeout(900)
@Tag("matrix")
class SeveralProcessesTest {
    private static final List<String> EACH_STRATEGY = List.of("segment-1", "sequence-table-1", "stepped-1");

    @ParameterizedTest
    @EachDatabase(except = {TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL_BY_MARIADB_DRIVER})
    void fourProcessesGiveNoIdTwice(TestDatabase kind) throws Exception {
        try (Database database = kind.createShared()) {
            new IdgenSchema(database.dataSource()).create();

            Map<String, List<long[]>> drawn = drawn(4, database, 100, EACH_STRATEGY);

            assertThat(drawn).containsOnlyKeys(EACH_STRATEGY);
            assertThat(drawn.values()).allSatisfy(ofOneName -> {
                assertThat(ofOneName).hasSize(4);
                assertThat(ofOneName)
                        .allSatisfy(ids -> assertThat(ids).hasSize(100).isSorted());
                Together.assertDistinct(ofOneName);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sixteenProcessesThatUseFiftyNewNamesFirstMakeOneRowOfEach(TestDatabase kind) throws Exception {
        List<String> names = IntStream.rangeClosed(1, 50)
                .mapToObj(i -> (i % 2 == 0 ? "segment-" : "sequence-table-") + i)
                .toList();
        try (Database database = kind.createShared()) {
            new IdgenSchema(database.dataSource()).create();

            Map<String, List<long[]>> drawn = drawn(16, database, 1, names);

            assertThat(drawn).containsOnlyKeys(names);
            assertThat(drawn.values()).allSatisfy(ofOneName -> {
                assertThat(ofOneName).hasSize(16);
                Together.assertDistinct(ofOneName);
            });
            for (String table : List.of("idgen_segment", "idgen_sequence")) {
                assertThat(Sql.number(database.dataSource(), "SELECT COUNT(*) FROM " + table))
                        .as("rows of %s", table)
                        .isEqualTo(25);
            }
        }
    }

    /**
     * Starts processes that begin together when all of them are ready. Returns their ids by name, one array per
     * process.
     */
    private static Map<String, List<long[]>> drawn(int count, Database database, int ids, List<String> names)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(database.url(), String.valueOf(ids)));
        arguments.addAll(names);
        List<ChildJvm> processes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                processes.add(ChildJvm.start(DrawingProcess.class, arguments));
            }
            for (ChildJvm process : processes) {
                process.awaits(DrawingProcess.READY);
            }
            for (ChildJvm process : processes) {
                process.tell("now");
            }
            Map<String, List<long[]>> drawn = new HashMap<>();
            for (ChildJvm process : processes) {
                idsByName(process.awaitsEnd())
                        .forEach((name, ofOneProcess) -> drawn.computeIfAbsent(name, none -> new ArrayList<>())
                                .add(ofOneProcess));
            }
            return drawn;
        } finally {
            processes.forEach(ChildJvm::close);
        }
    }

    private static Map<String, long[]> idsByName(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(DrawingProcess.ID))
                .map(line -> line.substring(DrawingProcess.ID.length()).split(" "))
                .collect(Collectors.groupingBy(
                        word -> word[0],
                        Collectors.collectingAndThen(
                                Collectors.toList(),
                                words -> words.stream()
                                        .mapToLong(word -> Long.parseLong(word[1]))
                                        .toArray())));
    }
}
