package io.idgen.proof;

import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import org.apache.curator.framework.CuratorFramework;

/** What a process makes of the address of a store: a JDBC URL, {@code redis…://…} or {@code zookeeper://…}. */
final class Addresses {
    private static final String REDIS = "redis";
    private static final String ZOOKEEPER = "zookeeper://";

    private Addresses() {}

    static boolean isSql(String url) {
        return url.startsWith("jdbc:");
    }

    /** Returns a store of leases that uses connections of its own. */
    static LeaseStore leases(String url) {
        if (url.startsWith(REDIS)) {
            return new RedisWorkerIds(RedisScripts.connectingTo(url));
        }
        if (url.startsWith(ZOOKEEPER)) {
            CuratorFramework client = ZooKeeperLeaseStoreProvider.start(servers(url), null);
            return new ZooKeeperWorkerIds(client);
        }
        return new JdbcWorkerIds(new UrlDataSource(url, "", "", Terms.TIMEOUT)).withTimeout(Terms.TIMEOUT);
    }

    private static String servers(String url) {
        return url.substring(ZOOKEEPER.length()).replace("/", "");
    }
}
