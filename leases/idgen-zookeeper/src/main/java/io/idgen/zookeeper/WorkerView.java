package io.idgen.zookeeper;

import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseAdmin.Worker;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.zookeeper.Ensemble.Look;
import io.idgen.zookeeper.Ensemble.Node;
import java.time.Duration;
import java.util.Objects;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * A worker id's node at the leader's time.
 *
 * <p>A horizon is valid only in the era in which it was granted, because the servers may have been restarted with older
 * data since. All grants of earlier leaders end one window after the era began, plus the clock skew of two servers. So
 * the node can be leased again when that gap has passed, from that time on. The same applies to a node that was created
 * after the era began: an earlier node may have been deleted.
 *
 * @param gapMillis the window, plus the skew
 */
record WorkerView(Look look, long gapMillis, int workerId, WorkerNode node, Node read) {

    static WorkerView of(Look look, long gapMillis, int workerId, Node read) {
        return new WorkerView(look, gapMillis, workerId, WorkerNode.of(read.path(), read.content()), read);
    }

    boolean isOfEra() {
        return look.era().id().equals(node.era());
    }

    /** Returns whether no process was granted ticks from {@link #horizonMillis} on. */
    boolean isCurrent() {
        return isOfEra() || look.nowMillis() >= safeFromMillis();
    }

    private long safeFromMillis() {
        return Math.max(look.era().sinceMillis(), read.stat().getCtime()) + gapMillis;
    }

    long horizonMillis() {
        return isCurrent() && !isOfEra() ? Math.max(node.horizonMillis(), safeFromMillis()) : node.horizonMillis();
    }

    /** Returns the time until which the holder counts as alive. The write of the node has the leader's time. */
    long heldUntilMillis() {
        return node.token() == null ? 0 : read.stat().getMtime() + node.aliveMillis();
    }

    boolean isAlive() {
        return heldUntilMillis() >= look.nowMillis();
    }

    boolean isFree(@Nullable String ownToken) {
        return !isAlive() || Objects.equals(node.token(), ownToken);
    }

    /** Returns the row for a search. */
    Row row() {
        return new Row(workerId, node.fence(), horizonMillis(), isCurrent(), node.token() != null, 0, null);
    }

    /** Returns the row with the horizon of the node, which is lower than that of the next lease after a restart. */
    Worker worker() {
        RowState state = new RowState(
                look.nowMillis(),
                node.fence(),
                node.horizonMillis(),
                isCurrent(),
                node.token(),
                heldUntilMillis(),
                String.valueOf(node.owner()));
        return new Worker(workerId, state);
    }

    boolean isHeldBy(Lease lease) {
        return lease.token().equals(node.token()) && lease.fence() == node.fence();
    }

    boolean isAsIn(Lease lease) {
        return isHeldBy(lease) && lease.horizonMillis() == node.horizonMillis();
    }

    boolean isAsIn(Row row) {
        return row.fence() == node.fence() && row.horizonMillis() == horizonMillis();
    }

    boolean isAsIn(RowState seen) {
        return seen.fence() == node.fence()
                && seen.horizonMillis() == node.horizonMillis()
                && Objects.equals(seen.token(), node.token())
                && seen.heldUntilMillis() == heldUntilMillis();
    }

    /** Returns a change of the node, which fails if it has changed since. */
    Op set(WorkerNode content) {
        return read.set(content.content());
    }

    /** Returns the content after the node has changed hands in the present era. */
    WorkerNode granted(long newHorizonMillis, @Nullable String token, Duration alive, String newOwner) {
        return new WorkerNode(
                node.fence() + 1,
                newHorizonMillis,
                token,
                token == null ? 0 : alive.toMillis(),
                look.era().id(),
                newOwner);
    }
}
