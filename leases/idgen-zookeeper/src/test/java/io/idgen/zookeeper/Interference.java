package io.idgen.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Clients of one server, in whose answers other leaders take over, and between whose requests other processes act. The
 * zxids of the answers have the epoch of the leader that wrote the node.
 */
final class Interference implements ZookeeperFactory {
    private final AtomicLong leader = new AtomicLong();
    private final Map<String, Long> writers = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Runnable> beforeRead = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> beforeChange = new AtomicReference<>();

    /** Lets another leader answer from now on. */
    void elect() {
        leader.incrementAndGet();
    }

    /** Runs something once, before the next request that reads nodes. */
    void beforeNextRead(Runnable action) {
        beforeRead.set(action);
    }

    /** Runs something once, before the next request that changes nodes in one transaction. */
    void beforeNextChange(Runnable action) {
        beforeChange.set(action);
    }

    @SuppressWarnings("try") // ZooKeeper.close() declares InterruptedException
    @Override
    public ZooKeeper newZooKeeper(String servers, int timeout, Watcher watcher, boolean readOnly) throws IOException {
        return new ZooKeeper(servers, timeout, watcher, readOnly) {
            @Override
            public Stat setData(String path, byte[] data, int version) throws KeeperException, InterruptedException {
                return written(path, super.setData(path, data, version));
            }

            @Override
            public List<OpResult> multi(Iterable<Op> requests) throws InterruptedException, KeeperException {
                List<Op> all = new ArrayList<>();
                requests.forEach(all::add);
                boolean isTrial = all.get(all.size() - 1) instanceof Op.Check; // it fails on purpose
                AtomicReference<@Nullable Runnable> before =
                        all.get(0).getKind() == Op.OpKind.READ ? beforeRead : beforeChange;
                Runnable action = isTrial ? null : before.getAndSet(null);
                if (action != null) {
                    action.run();
                }
                List<OpResult> results = super.multi(all);
                for (int i = 0; i < all.size(); i++) {
                    if (results.get(i) instanceof OpResult.SetDataResult result) {
                        written(all.get(i).getPath(), result.getStat());
                    } else if (results.get(i) instanceof OpResult.GetDataResult result) {
                        withEpoch(all.get(i).getPath(), result.getStat());
                    }
                }
                return results;
            }
        };
    }

    private Stat written(String path, Stat stat) {
        writers.put(path, leader.get());
        return withEpoch(path, stat);
    }

    private Stat withEpoch(String path, Stat stat) {
        stat.setMzxid(stat.getMzxid() + (writers.getOrDefault(path, 0L) << 32));
        return stat;
    }
}
