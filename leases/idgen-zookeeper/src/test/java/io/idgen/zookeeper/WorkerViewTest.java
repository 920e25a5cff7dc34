package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.util.List;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Tests from which time on a worker id can be leased whose horizon was granted in another era. */
class WorkerViewTest {
    private static final long NOW = 10_000_000;
    private static final long GAP = 185_000;
    private static final Era ERA = new Era("now", 7, NOW - 1_000_000);

    private static WorkerView view(long createdMillis, long writtenMillis, WorkerNode node, Era era) {
        Stat stat = new Stat();
        stat.setCtime(createdMillis);
        stat.setMtime(writtenMillis);
        return WorkerView.of(
                new Look(null, NOW, era, 0, List.of()), GAP, 3, new Node("/idgen/3", node.content(), stat));
    }

    private static WorkerView created(long ageMillis, WorkerNode node, Era era) {
        return view(NOW - ageMillis, 0, node, era);
    }

    @Test
    void aNodeThatIsYoungerThanAWindowIsNotCurrentHoweverOldTheEraIs() {
        assertThat(created(GAP - 1, WorkerNode.UNUSED, ERA).isCurrent()).isFalse();
        assertThat(created(0, WorkerNode.UNUSED, ERA).isCurrent()).isFalse();
    }

    @Test
    void aNodeIsCurrentAWindowAfterItsCreationAndBeginsThere() {
        WorkerView view = created(GAP + 5, WorkerNode.UNUSED, ERA);

        assertThat(view.isCurrent()).isTrue();
        assertThat(view.horizonMillis()).isEqualTo(NOW - 5);
        assertThat(created(GAP, WorkerNode.UNUSED, ERA).isCurrent()).isTrue();
    }

    @Test
    void aNodeOfAnEarlierEraIsNotCurrentUntilAWindowAfterTheEraBegan() {
        Era young = new Era("young", 8, NOW - GAP + 1);

        assertThat(created(NOW, WorkerNode.UNUSED, young).isCurrent()).isFalse();
        WorkerView old = created(NOW, WorkerNode.UNUSED, ERA);
        assertThat(old.isCurrent()).isTrue();
        assertThat(old.horizonMillis()).isEqualTo(ERA.sinceMillis() + GAP);
        WorkerNode ahead = WorkerNode.UNUSED.withHorizon(NOW + 7);
        assertThat(created(NOW, ahead, ERA).horizonMillis()).isEqualTo(NOW + 7);
    }

    @Test
    void aNodeOfTheEraHasItsOwnHorizonAtOnce() {
        WorkerNode granted = new WorkerNode(1, 42, null, 0, ERA.id(), null);

        assertThat(created(0, granted, ERA).isCurrent()).isTrue();
        assertThat(created(0, granted, ERA).horizonMillis()).isEqualTo(42);
    }

    private static WorkerView written(long ageMillis, WorkerNode node) {
        return view(0, NOW - ageMillis, node, ERA);
    }

    @Test
    void aHolderIsAliveUntilALeaseAfterItsLastWrite() {
        WorkerNode node = WorkerNode.UNUSED.heldBy("mine", 30_000);

        assertThat(written(30_000, node).isAlive()).isTrue();
        assertThat(written(30_000, node).isFree("mine")).isTrue();
        assertThat(written(30_000, node).isFree(null)).isFalse();
        assertThat(written(30_001, node).isAlive()).isFalse();
        assertThat(written(30_001, node).isFree(null)).isTrue();
        assertThat(written(0, WorkerNode.UNUSED.heldBy(null, 30_000)).isAlive()).isFalse();
    }
}
