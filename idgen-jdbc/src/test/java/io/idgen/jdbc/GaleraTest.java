package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Cluster;
import io.idgen.jdbc.testing.GaleraCluster;
import io.idgen.jdbc.testing.Sql;
import io.idgen.test.internal.Leases;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * A Galera cluster of three nodes. By default, the test kills {@value
 * #BY_DEFAULT} nodes; {@code -Dgalera.kills=100} kills more.
 */
@Timeout(7200)
@Tag("nightly")
class GaleraTest extends ClusterContract {
    private static final int BY_DEFAULT = 3;
    private static final int KILLS = Integer.getInteger("galera.kills", BY_DEFAULT);

    private static final String TOKEN = "token";

    @AutoClose
    private static GaleraCluster cluster;

    @BeforeAll
    static void start() {
        cluster = GaleraCluster.started();
    }

    @Override
    Cluster cluster() {
        return cluster;
    }

    @Override
    int kills() {
        return KILLS;
    }

    @Override
    List<String> statesOfConflict() {
        return List.of("40001");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void aSequenceIsRefusedOnEachNode(int increment) throws SQLException {
        Sql.execute(connections(0), "CREATE SEQUENCE orders INCREMENT BY " + increment + " NOCACHE");
        for (int node = 0; node < GaleraCluster.NODES; node++) {
            NativeSequence sequence =
                    new NativeSequence(connections(node), "orders").inBlocks(increment, ValueIs.FIRST);
            AllocationException e = assertThrows(AllocationException.class, () -> sequence.allocate("orders", 1));
            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_MISSING);
            assertThat(e).hasMessageContaining("this is a Galera cluster").hasMessageContaining("segment");
        }
    }

    /** The control: plain JDBC. */
    @Test
    void nodesReturnEqualValuesOfASequence() throws Exception {
        Sql.execute(connections(0), "CREATE SEQUENCE orders INCREMENT BY 50 NOCACHE");
        Set<Long> all = ConcurrentHashMap.newKeySet();
        AtomicBoolean repeated = new AtomicBoolean();
        ParallelThreads.run(GaleraCluster.NODES, node -> {
            try (Connection connection = connections(node).getConnection();
                    PreparedStatement next = connection.prepareStatement("SELECT NEXT VALUE FOR orders")) {
                Await.until("a value that two nodes have returned", () -> {
                    try (ResultSet row = next.executeQuery()) {
                        row.next();
                        if (!all.add(row.getLong(1))) {
                            repeated.set(true);
                        }
                    }
                    return repeated.get();
                });
            }
            return node;
        });
        assertThat(repeated).isTrue();
    }

    @Test
    void aCrashOfAllNodesUnderLoadRepeatsNoId() throws Exception {
        try (MixedLoad load = MixedLoad.of(urlsOfAllNodes())) {
            awaitEach(load, 50);
            cluster.killAll();
            cluster.bootstrapFromTheMostAdvanced();
            urlsOfAllNodes().forEach(load::add);
            awaitEach(load, 50);

            load.endDistinct();
        }
    }

    /** The control names each node, and each start of it, as a server of its own. */
    @Test
    void aNodeThatIsKilledAndAnotherOneSkipNothing() throws Exception {
        Counters counters =
                new Counters(connections(0)).onDemand().startingAt(1).withReach(1_000);
        assertThat(counters.allocate("orders", 1).first()).isOne();
        Counters control = counters.identifiedAs("node 0");
        assertThat(control.allocate("control", 1).first()).isOne();
        cluster.kill(0);
        cluster.restart(0);

        assertThat(counters.allocate("orders", 1).first()).isEqualTo(2);
        assertThat(new Counters(connections(1)).onDemand().allocate("orders", 1).first())
                .isEqualTo(3);
        assertThat(control.identifiedAs("node 0, again").allocate("control", 1).first())
                .isEqualTo(2_002);
    }

    /** A backup lock prevents a node from applying the commits of other nodes. */
    @Test
    void ownConnectionsReadNothingThatIsOlderThanWhatOtherNodesHaveCommitted() throws Exception {
        LeaseTerms terms = Leases.terms(1);
        JdbcWorkerIds here = new JdbcWorkerIds(connections(0));
        Lease first = Leases.acquire(here, terms, TOKEN);
        DataSource there = new UrlDataSource(cluster.url(2), "", "", Duration.ofSeconds(1));
        assertThat(horizon(there)).isEqualTo(first.horizonMillis());

        long extended = first.horizonMillis() + 45_000;
        try (Connection backup = connections(2).getConnection()) {
            Sql.execute(backup, "FLUSH TABLES WITH READ LOCK");
            assertThat(here.extend(terms, first, extended)).isTrue();

            assertThrows(SQLException.class, () -> horizon(there));
            // the control: connections of an application without the setting
            assertThat(horizon(new MariaDbDataSource(cluster.url(2)))).isEqualTo(first.horizonMillis());
        }
        assertThat(horizon(there)).isEqualTo(extended);
    }

    /** Returns the horizon of the row that is leased with the token, as a plain query reads it. */
    private static long horizon(DataSource node) throws SQLException {
        return Sql.number(node, "SELECT horizon FROM idgen_worker WHERE owner_token = '" + TOKEN + "'");
    }

    /** The control: a cluster that may lose commits. Only another identity prevents repeated ids. */
    @Test
    void aCrashOfAllNodesThatLosesCommitsRepeatsIdsUnderTheSameIdentity() throws SQLException {
        try (GaleraCluster careless = GaleraCluster.thatLosesCommits()) {
            DataSource database = new UrlDataSource(careless.url(0), "", "", Duration.ofSeconds(5));
            new IdgenSchema(database).create();
            Counters segments = new Counters(database).startingAt(1);
            segments.allocate("orders", 1);
            for (int node = 0; node < GaleraCluster.NODES; node++) {
                Sql.execute(new UrlDataSource(careless.url(node), "", "", Duration.ofSeconds(5)), "FLUSH ENGINE LOGS");
            }
            Segment lost = segments.allocate("orders", 100);
            careless.killAll();
            careless.bootstrapFromTheMostAdvanced();

            assertThat(new Counters(database).allocate("orders", 100)).isEqualTo(lost);
            assertThat(new Counters(database)
                            .identifiedAs("after the crash")
                            .allocate("orders", 100)
                            .first())
                    .isGreaterThan(lost.last() + 100_000_000);
        }
    }
}
