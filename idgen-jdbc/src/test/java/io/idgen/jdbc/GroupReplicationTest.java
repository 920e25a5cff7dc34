package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Cluster;
import io.idgen.jdbc.testing.MySqlGroup;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A group of three MySQL servers with Group Replication. By default, the tests kill {@value #BY_DEFAULT} nodes in each
 * mode; {@code -Dgroup.kills=30} kills more.
 */
@Timeout(7200)
@Tag("nightly")
class GroupReplicationTest extends ClusterContract {
    private static final int BY_DEFAULT = 1;
    private static final int KILLS = Integer.getInteger("group.kills", BY_DEFAULT);
    private static final String USER = "shop";
    private static final String LAST_SERVER = "SELECT server_id FROM idgen_counter WHERE name = 'orders'";

    @AutoClose
    private static MySqlGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = new MySqlGroup();
    }

    @Override
    Cluster cluster() {
        return group;
    }

    @Override
    int kills() {
        return KILLS;
    }

    /** Refused by the group; rolled back for another transaction, before its commit or during it. */
    @Override
    List<String> statesOfConflict() {
        return List.of("40000", "40001", "HY000");
    }

    @Test
    void eachNodeGivesTheFirstIdsWithinFiveSecondsAsTheOnlyPrimary() throws Exception {
        List<Long> leased = new ArrayList<>();
        for (int node = 0; node < Cluster.NODES; node++) {
            group.becomeSinglePrimary(node);
            try (IdSources sources = MixedLoad.sources(group.primaryUrl());
                    IdSources onOther = MixedLoad.sources(group.url((node + 1) % Cluster.NODES))) {
                leased.add(sources.get(MixedLoad.LEASED).nextId());
                assertThat(sources.get(MixedLoad.SEGMENT).nextId()).isEqualTo(1 + node);
                assertThat(sources.get(MixedLoad.SEQUENCE_TABLE).nextId()).isEqualTo(1 + node);
                assertThatThrownBy(onOther.get(MixedLoad.SEQUENCE_TABLE)::nextId)
                        .as("another node, which is read-only")
                        .isInstanceOf(IdUnavailableException.class);
            }
            group.becomeMultiPrimary(node);
        }
        assertThat(leased).doesNotHaveDuplicates();
    }

    @Test
    void primariesThatAreKilledUnderLoadRepeatNoId() throws Exception {
        int primary = 0;
        group.becomeSinglePrimary(primary);
        try (MixedLoad load = MixedLoad.of(Collections.nCopies(Cluster.NODES, group.primaryUrl()))) {
            for (int kill = 0; kill < KILLS; kill++) {
                awaitEach(load, 10);
                int next = group.killPrimary(primary);
                awaitEach(load, 10);
                group.restart(primary);
                primary = next;
            }
            awaitEach(load, 10);

            load.endDistinct();
            System.out.println("after " + KILLS + " kills of primaries");
            assertThat(load.failures(MixedLoad.LEASED)).isEmpty();
        }
        group.becomeMultiPrimary(primary);
    }

    /** An ordinary user, whom the statements of docs/managed-databases.md allow to read the group's identity. */
    private DataSource ofUser(int node) throws SQLException {
        Sql.execute(connections(0), "CREATE USER IF NOT EXISTS " + USER + " IDENTIFIED BY 'right'");
        Sql.execute(connections(0), "GRANT SELECT, INSERT, UPDATE ON idgen.* TO " + USER);
        return new UrlDataSource(
                group.url(node).replaceAll("user=\\w+", "user=" + USER).replaceAll("password=[^&]+", "password=right"),
                "",
                "",
                Duration.ofSeconds(5));
    }

    @Test
    void forAUserWhoMayReadItTheGroupIsOneServerAndWithoutTheRightEachNodeIs() throws Exception {
        List<Long> ids = new ArrayList<>();
        for (boolean mayRead : new boolean[] {false, true}) {
            if (mayRead) {
                Sql.execute(
                        connections(0), "GRANT SELECT ON performance_schema.replication_group_member_stats TO " + USER);
            }
            for (int node = 0; node < Cluster.NODES; node++) {
                DataSource database = ofUser(node);
                Await.until("the grants", () -> !Sql.rows(database, "SELECT 1").isEmpty());
                ids.add(new Counters(database)
                        .onDemand()
                        .startingAt(1)
                        .withReach(1_000)
                        .allocate("orders", 1)
                        .first());
            }
        }
        assertThat(ids).containsExactly(1L, 2_002L, 4_003L, 6_004L, 6_005L, 6_006L);
    }

    @Test
    void aGroupThatIsBootstrappedAgainIsAnotherServerAndSoIsANodeThatHasLeftIt() throws Exception {
        Counters sequence =
                new Counters(connections(0)).onDemand().startingAt(1).withReach(1_000);
        assertThat(sequence.allocate("orders", 1).first()).isOne();
        String before = Sql.rows(connections(0), LAST_SERVER).get(0);
        for (int node = Cluster.NODES - 1; node >= 0; node--) {
            group.leave(node);
        }
        assertThat(sequence.allocate("orders", 1).first()).isEqualTo(2_002);
        String alone = Sql.rows(connections(0), LAST_SERVER).get(0);
        for (int node = 0; node < Cluster.NODES; node++) {
            if (node == 0) {
                group.bootstrap(node);
            } else {
                group.join(node);
            }
        }

        assertThat(new Counters(connections(2))
                        .onDemand()
                        .withReach(1_000)
                        .allocate("orders", 1)
                        .first())
                .isEqualTo(4_003);
        assertThat(List.of(before, alone, Sql.rows(connections(2), LAST_SERVER).get(0)))
                .doesNotHaveDuplicates();
    }
}
