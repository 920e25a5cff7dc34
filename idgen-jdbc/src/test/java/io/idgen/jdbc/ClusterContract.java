package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Cluster;
import io.idgen.jdbc.testing.Sql;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A cluster in which each node accepts writes. One process per node has sources of each kind. Each test begins with new
 * tables.
 */
abstract class ClusterContract {
    private static final int IDS = 100;

    /** The running cluster. */
    abstract Cluster cluster();

    /** How many nodes the test kills. */
    abstract int kills();

    /** The SQL states of a transaction that conflicts with one of another node. */
    abstract List<String> statesOfConflict();

    @BeforeEach
    final void makeTables() {
        cluster().empty();
        new IdgenSchema(connections(0)).create();
    }

    final DataSource connections(int node) {
        return new UrlDataSource(cluster().url(node), "", "", Duration.ofSeconds(5));
    }

    @Test
    void everyNodeGivesTheFirstIdsWithinFiveSeconds() {
        Set<Long> leased = new HashSet<>();
        for (int node = 0; node < Cluster.NODES; node++) {
            try (IdSources sources = MixedLoad.sources(cluster().url(node))) {
                assertThat(leased.add(sources.get(MixedLoad.LEASED).nextId())).isTrue();
                assertThat(sources.get(MixedLoad.SEGMENT).nextId()).isEqualTo(1 + node);
                assertThat(sources.get(MixedLoad.SEQUENCE_TABLE).nextId()).isEqualTo(1 + node);
            }
        }
    }

    /** The control: a node with a different identity. */
    @Test
    void aNodeWithAnIdentityOfItsOwnHasNoLeaseWithinFiveSecondsAndSkipsIds() {
        try (IdSources sources = MixedLoad.sources(cluster().url(0))) {
            assertThat(sources.get(MixedLoad.SEQUENCE_TABLE).nextId()).isEqualTo(1);
        }
        try (IdSources sources = MixedLoad.sources(cluster().url(1), "idgen.jdbc.server-identity=node 1")) {
            assertThrows(IdGenerationException.class, sources.get(MixedLoad.LEASED)::nextId);
            assertThat(sources.get(MixedLoad.SEQUENCE_TABLE).nextId()).isEqualTo(200_000_002);
        }
        try (IdSources sources = MixedLoad.sources(cluster().url(0))) {
            assertThat(sources.get(MixedLoad.SEQUENCE_TABLE).nextId()).isEqualTo(400_000_003);
        }
    }

    final List<String> urlsOfOneNodeEach() {
        return IntStream.range(0, Cluster.NODES).mapToObj(cluster()::url).toList();
    }

    final List<String> urlsOfAllNodes() {
        return IntStream.range(0, Cluster.NODES)
                .mapToObj(cluster()::urlBeginningAt)
                .toList();
    }

    /** Of conflicting transactions, the one commits that the group orders first, so a node may lose many in a row. */
    @Test
    void conflictsOfNodesAreRepeatedAndNoCallerSeesThem() throws Exception {
        long before = cluster().conflicts();
        try (MixedLoad load = MixedLoad.of(urlsOfOneNodeEach(), "idgen.acquire-timeout=40s")) {
            load.awaitEach(50);
            Await.until("a conflict of nodes", () -> cluster().conflicts() > before);

            load.endDistinct();
            assertThat(MixedLoad.STRATEGIES)
                    .allSatisfy(each -> assertThat(load.failures(each)).isEmpty());
        }
    }

    /** A caller repeats the statement after a conflict, as it repeats any other. */
    @Test
    void theSqlFunctionOfEachNodeAndJavaRepeatNoIdAndSkipNone() throws Exception {
        createFunctions();
        Counters java = new Counters(patient(0)).startingAt(1);
        java.allocate("orders", 1);
        long before = cluster().conflicts();
        List<List<Long>> ids = ParallelThreads.run(Cluster.NODES + 1, thread -> {
            List<Long> taken = new ArrayList<>();
            if (thread == Cluster.NODES) {
                while (taken.size() < IDS) {
                    try {
                        taken.add(java.allocate("orders", 1).first());
                    } catch (StoreUnavailableException e) {
                        assertThat(e).as("five conflicts").hasMessageContaining("(5 times)");
                    }
                }
                return taken;
            }
            try (Connection connection = patient(thread).getConnection()) {
                while (taken.size() < IDS) {
                    try {
                        taken.add(Long.valueOf(Sql.rows(connection, "SELECT idgen_next('orders')")
                                .get(0)));
                    } catch (SQLException e) {
                        assertThat(statesOfConflict()).contains(e.getSQLState());
                    }
                }
            }
            return taken;
        });

        List<Long> all = ids.stream().flatMap(List::stream).toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(all).as("one server").allMatch(id -> id < 1_000_000);
        assertThat(cluster().conflicts()).as("conflicts of nodes").isGreaterThan(before);
    }

    /** A busy machine delays statements for seconds. */
    private DataSource patient(int node) {
        return new UrlDataSource(cluster().url(node), "", "", Duration.ofMinutes(1));
    }

    private void createFunctions() throws Exception {
        for (int node = 0; node < Cluster.NODES; node++) {
            Sql.execute(patient(node), "SET GLOBAL log_bin_trust_function_creators = 1");
        }
        for (String statement : SqlFunctionsOnMariaDbTest.split(new IdgenSchema(patient(0)).functionsScript())) {
            Sql.execute(patient(0), statement);
        }
        for (int node = 0; node < Cluster.NODES; node++) {
            DataSource here = patient(node);
            Await.until(
                    "the functions on each node",
                    () -> Sql.number(
                                    here,
                                    "SELECT count(*) FROM information_schema.routines WHERE routine_name = 'idgen_next'")
                            == 1);
        }
    }

    /** The control: all nodes update one row, and the statements are not retried. */
    @Test
    void statementsThatAreNotRepeatedFailOnConflicts() throws Exception {
        new Counters(connections(0)).startingAt(1).allocate("orders", 1);
        AtomicBoolean failed = new AtomicBoolean();
        List<String> states = ParallelThreads.run(Cluster.NODES, node -> {
            try (Connection connection = connections(node).getConnection()) {
                Await.until("a conflict", () -> {
                    Sql.execute(connection, "UPDATE idgen_counter SET next_id = next_id + 1 WHERE name = 'orders'");
                    return failed.get();
                });
                return "none";
            } catch (SQLException e) {
                failed.set(true);
                return String.valueOf(e.getSQLState());
            }
        });

        assertThat(states).containsAnyElementsOf(statesOfConflict());
    }

    /** Waits for more ids of each thread. A failure reports the state of the cluster as its nodes see it. */
    final void awaitEach(MixedLoad load, int more) throws Exception {
        try {
            load.awaitEach(more);
        } catch (AssertionError e) {
            throw new AssertionError(cluster().view(), e);
        }
    }

    @Test
    void nodesThatAreKilledUnderLoadRepeatNoId() throws Exception {
        try (MixedLoad load = MixedLoad.of(urlsOfAllNodes())) {
            for (int kill = 0; kill < kills(); kill++) {
                int node = kill % Cluster.NODES;
                awaitEach(load, 10);
                cluster().kill(node);
                awaitEach(load, 10);
                cluster().restart(node);
            }
            awaitEach(load, 10);

            load.endDistinct();
            System.out.println("after " + kills() + " kills of nodes");
            assertThat(load.failures(MixedLoad.LEASED)).isEmpty();
        }
    }
}
