package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Processes that take ids of one name by different strategies. The controls have a table for each strategy. */
@ParameterizedClass
@EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
@Tag("servers")
class ChangedStrategiesTest {
    private static final List<String> STRATEGIES = List.of("segment", "sequence-table", "stepped");
    private static final int PROCESSES = 4;
    private static final int RESTARTS = 20;

    @Parameter(0)
    TestDatabase kind;

    private Database database;

    @BeforeEach
    void open() {
        database = kind.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private IdSources process(String strategy, boolean ownTable) {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.jdbc.table-prefix", ownTable ? strategy.replace('-', '_') + "_" : "idgen_")
                .set("idgen.acquire-timeout", "1m") // on a busy machine, the first id takes longer than 3 s
                .set("idgen.strategy", strategy)
                .set("idgen.segment.step", "10")
                .set("idgen.stepped.instance", "1")
                .set("idgen.stepped.instances", "1")
                .set("idgen.sources.orders.start", "1")
                .build();
    }

    private static long[] draw(IdSource orders, int ids) {
        long[] drawn = new long[ids];
        for (int i = 0; i < ids; i++) {
            drawn[i] = orders.nextId();
        }
        return drawn;
    }

    /** Processes of different strategies take ids at once. */
    private List<long[]> atOnce(boolean ownTables) throws Exception {
        return ParallelThreads.run(PROCESSES, process -> {
            try (IdSources sources = process(STRATEGIES.get(process % STRATEGIES.size()), ownTables)) {
                return draw(sources.get("orders"), 200);
            }
        });
    }

    /**
     * Processes take ids at once, and have another strategy after each restart. Every third process is killed: it hands
     * back nothing.
     */
    private List<long[]> changing(boolean ownTables) throws Exception {
        return ParallelThreads.run(PROCESSES, process -> {
            List<long[]> drawn = new ArrayList<>();
            List<IdSources> killed = new ArrayList<>();
            for (int restart = 0; restart <= RESTARTS; restart++) {
                IdSources sources = process(STRATEGIES.get((process + restart) % STRATEGIES.size()), ownTables);
                drawn.add(draw(sources.get("orders"), 25));
                if (restart % 3 == 0) {
                    killed.add(sources);
                } else {
                    sources.close();
                }
            }
            killed.forEach(IdSources::close);
            return drawn.stream().flatMapToLong(Arrays::stream).toArray();
        });
    }

    private static long repeated(Stream<long[]> ids) {
        long[] all = ids.flatMapToLong(Arrays::stream).toArray();
        return all.length - Arrays.stream(all).distinct().count();
    }

    @Test
    void processesOfDifferentStrategiesRepeatNoId() throws Exception {
        ParallelThreads.assertDistinct(atOnce(false));
        assertThat(repeated(atOnce(true).stream())).as("the control").isPositive();
    }

    @Test
    void aChangeOfTheStrategyAtEachRestartRepeatsNoId() throws Exception {
        ParallelThreads.assertDistinct(changing(false));
        assertThat(repeated(changing(true).stream())).as("the control").isPositive();
    }
}
