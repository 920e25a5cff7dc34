package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnavailableException;
import io.idgen.zookeeper.Ensemble.Look;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Tests that a change depends on the era and on the leader of the look before it. */
class EnsembleTest {
    private static final Paths PATHS = new Paths("/idgen");
    private static final String NODE = PATHS.worker("default", 0);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<Op> write(String text) {
        return List.of(Op.setData(NODE, bytes(text), -1));
    }

    private static String read(ZooKeeper zooKeeper) throws Exception {
        return new String(zooKeeper.getData(NODE, false, null), StandardCharsets.UTF_8);
    }

    @Test
    void aChangeIsRefusedAfterTheEraOfItsLookHasEnded() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework client = Servers.client(server.getConnectString())) {
            Ensemble ensemble = new Ensemble(client, PATHS);
            ensemble.call("a test", zooKeeper -> {
                Look former = ensemble.look(zooKeeper, List.of());
                ensemble.create(Map.of(NODE, bytes("before")));
                zooKeeper.setData(
                        PATHS.era(),
                        Era.begin(former.era().epoch(), former.nowMillis()).content(),
                        -1);

                assertThat(ensemble.change(former, write("of the former era"))).isFalse();
                assertThat(read(zooKeeper)).isEqualTo("before");
                Look look = ensemble.look(zooKeeper, List.of());
                assertThat(ensemble.change(look, write("after"))).as("control").isTrue();
                assertThat(read(zooKeeper)).isEqualTo("after");
                return true;
            });
        }
    }

    /** The look claims an epoch that is not that of the server. */
    @Test
    void theAnswerOfAnotherEpochIsNotReliedOn() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework client = Servers.client(server.getConnectString())) {
            Ensemble ensemble = new Ensemble(client, PATHS);
            ensemble.call("a test", zooKeeper -> {
                Look look = ensemble.look(zooKeeper, List.of());
                ensemble.create(Map.of(NODE, bytes("before")));
                Era era = look.era();
                Look earlier = new Look(
                        zooKeeper,
                        look.nowMillis(),
                        new Era(era.id(), era.epoch() + 1, era.sinceMillis()),
                        look.eraVersion(),
                        List.of());

                assertThrows(StoreUnavailableException.class, () -> ensemble.change(earlier, write("after")));
                assertThat(ensemble.change(look, write("control"))).isTrue();
                return true;
            });
        }
    }

    private interface Leaders {
        void in(Ensemble ensemble, ZooKeeper zooKeeper, Interference interference) throws Exception;
    }

    /** Runs a test with leaders that one server plays. */
    private static void withLeaders(Leaders test) throws Exception {
        Interference interference = new Interference();
        try (TestingServer server = new TestingServer();
                CuratorFramework client = Servers.client(server.getConnectString(), interference)) {
            Ensemble ensemble = new Ensemble(client, PATHS);
            ensemble.call("a test", zooKeeper -> {
                test.in(ensemble, zooKeeper, interference);
                return true;
            });
        }
    }

    @Test
    void eachLeaderBeginsOneEra() throws Exception {
        withLeaders((ensemble, zooKeeper, interference) -> {
            Look first = ensemble.look(zooKeeper, List.of());
            interference.elect();
            Look second = ensemble.look(zooKeeper, List.of());

            assertThat(second.era().id()).isNotEqualTo(first.era().id());
            assertThat(second.era().epoch()).isEqualTo(first.era().epoch() + 1);
            assertThat(second.era().sinceMillis()).isBetween(first.nowMillis(), second.nowMillis());
            assertThat(ensemble.look(zooKeeper, List.of()).era()).isEqualTo(second.era());
            assertThat(ensemble.change(second, List.of())).isTrue();
            assertThat(ensemble.change(first, List.of())).isFalse();
        });
    }

    /** The process that began the era was slow: meanwhile, another server became the leader, and took its write. */
    @Test
    void anEraThatWasBegunForAnEarlierLeaderIsReplaced() throws Exception {
        withLeaders((ensemble, zooKeeper, interference) -> {
            Look first = ensemble.look(zooKeeper, List.of());
            interference.elect();
            Era late = Era.begin(first.era().epoch(), first.nowMillis());
            zooKeeper.setData(PATHS.era(), late.content(), -1);

            Look second = ensemble.look(zooKeeper, List.of());

            assertThat(second.era().epoch()).isEqualTo(first.era().epoch() + 1);
            assertThat(second.era().id()).isNotIn(first.era().id(), late.id());
        });
    }

    @Test
    void aLookDoesNotHaveTheTimeOfOneLeaderAndTheNodesOfAnother() throws Exception {
        withLeaders((ensemble, zooKeeper, interference) -> {
            Look first = ensemble.look(zooKeeper, List.of());
            AtomicReference<Look> other = new AtomicReference<>();
            interference.beforeNextRead(() -> {
                interference.elect();
                other.set(ensemble.call("another process", session -> ensemble.look(session, List.of())));
            });

            Look look = ensemble.look(zooKeeper, List.of());

            assertThat(look.era()).isEqualTo(other.get().era()).isNotEqualTo(first.era());
            assertThat(look.nowMillis()).isGreaterThanOrEqualTo(other.get().nowMillis());
        });
    }

    @Test
    void whereEachRequestHasAnotherLeaderNothingIsKnown() throws Exception {
        withLeaders((ensemble, zooKeeper, interference) -> {
            ensemble.look(zooKeeper, List.of());
            AtomicInteger elections = new AtomicInteger();
            interference.beforeNextRead(new Runnable() {
                @Override
                public void run() {
                    interference.elect();
                    elections.incrementAndGet();
                    ensemble.call("another process", session -> ensemble.look(session, List.of()));
                    interference.beforeNextRead(this);
                }
            });

            assertThat(assertThrows(StoreUnavailableException.class, () -> ensemble.look(zooKeeper, List.of())))
                    .hasMessageContaining("another leader for each of 5 requests");
            assertThat(elections).hasValue(5);
        });
    }
}
