package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.zookeeper.Ensemble.Look;
import java.util.Objects;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A worker id's node at the leader's time.
 *
 * <p>A horizon is only good in the era in which it was granted: the servers may have been started with older data
 * since. All that earlier leaders granted ends a window after the era began, give or take the skew of two servers'
 * clocks. So the node can be leased again when the gap has passed since then, from that time on. The same holds for a
 * node that was created later than the era: an earlier one may have been deleted.
 *
 * @param gapMillis the longest window that was ever used, and the skew
 */
record WorkerView(Look look, long gapMillis, int workerId, WorkerNode node, Stat stat) {

    boolean isOfEra() {
        return look.era().id().equals(node.era());
    }

    /** Whether ticks from {@link #horizonMillis} on were granted to nobody. */
    boolean isCurrent() {
        return isOfEra() || look.nowMillis() >= safeFromMillis();
    }

    private long safeFromMillis() {
        return Math.max(look.era().sinceMillis(), stat.getCtime()) + gapMillis;
    }

    long horizonMillis() {
        return isCurrent() && !isOfEra() ? Math.max(node.horizonMillis(), safeFromMillis()) : node.horizonMillis();
    }

    /** The time until which the holder counts as alive: the write of the node has the leader's time. */
    long heldUntilMillis() {
        return node.token() == null ? 0 : stat.getMtime() + node.aliveMillis();
    }

    boolean isAlive() {
        return heldUntilMillis() >= look.nowMillis();
    }

    boolean isFree(@Nullable String ownToken) {
        return !node.reserved() && (!isAlive() || Objects.equals(node.token(), ownToken));
    }

    boolean isHeldBy(Lease lease) {
        return !node.reserved() && lease.token().equals(node.token()) && lease.fence() == node.fence();
    }

    boolean isAsIn(Lease lease) {
        return isHeldBy(lease) && lease.horizonMillis() == node.horizonMillis();
    }

    boolean isAsIn(Row row) {
        return row.fence() == node.fence() && row.horizonMillis() == horizonMillis();
    }

    boolean isAsIn(RowState state) {
        return state.fence() == node.fence() && state.horizonMillis() == horizonMillis();
    }

    boolean isReservedFor(@Nullable String token) {
        return node.reserved() && node.token() != null && node.token().equals(token);
    }
}
