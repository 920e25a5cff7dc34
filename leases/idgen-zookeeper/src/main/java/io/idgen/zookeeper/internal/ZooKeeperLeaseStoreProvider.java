package io.idgen.zookeeper.internal;

import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.lease.LeaseStore;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;

/** {@code zookeeper}: leases worker ids from nodes of an ensemble of ZooKeeper. */
public final class ZooKeeperLeaseStoreProvider implements LeaseStoreProvider {
    /** The timeout for a connection, and for each request. */
    private static final int TIMEOUT_MILLIS = 5_000;

    static final Setting<String> CONNECT = Setting.<String>of(
            "zookeeper.connect",
            "The servers of ZooKeeper, like zk1:2181,zk2:2181,zk3:2181, if you pass no CuratorFramework.",
            ZooKeeperLeaseStoreProvider::servers);
    static final Setting<String> ROOT = Setting.<String>of(
                    "zookeeper.root",
                    "The path of idgen's nodes; processes whose ids must differ need the same one.",
                    text -> ZooKeeperWorkerIds.checkRoot(text.strip()))
            .withDefault(ZooKeeperWorkerIds.DEFAULT_ROOT);
    static final Setting<Auth> AUTH = Setting.of(
            "zookeeper.auth",
            "Credentials for ZooKeeper, like digest:user:password. Not needed with SASL or client certificates.",
            Auth::parse);
    static final Setting<Access> ACL_OF_NODES = Setting.<Access>of(
            "zookeeper.acl",
            "Who may use the nodes that idgen creates: open (everybody) or creator (whoever has the same credentials)."
                    + " If not set: creator with idgen.zookeeper.auth, else open.",
            Setting.oneOf(Access.class));

    /** The processes that may use the nodes that idgen creates. */
    enum Access {
        OPEN,
        CREATOR
    }

    private record SameForAll(List<ACL> getDefaultAcl) implements ACLProvider {
        static SameForAll of(Access access) {
            Id who = access == Access.OPEN ? new Id("world", "anyone") : new Id("auth", "");
            return new SameForAll(Collections.singletonList(new ACL(ZooDefs.Perms.ALL, who))); // allows contains(null)
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return getDefaultAcl;
        }
    }

    /** Credentials, which no message shows. */
    record Auth(String scheme, String credentials) {
        static Auth parse(String text) {
            String[] words = text.strip().split(":", 2);
            if (words.length < 2 || words[0].isBlank() || words[1].isBlank()) {
                throw new IllegalArgumentException(
                        "a scheme, a colon and credentials are expected, like digest:user:password");
            }
            return new Auth(words[0], words[1]);
        }

        @Override
        public String toString() {
            return scheme;
        }
    }

    /** The properties of a client. Sources with equal properties share a client. */
    private record Client(String servers, Optional<Auth> auth, Access access) {

        /** Returns a client. If no access is set, nodes are of their creator where there are credentials, else open. */
        static Client of(String servers, Optional<Auth> auth, Optional<Access> access) {
            return new Client(servers, auth, access.orElse(auth.isPresent() ? Access.CREATOR : Access.OPEN));
        }

        /** Starts a client, which connects in the background. */
        CuratorFramework start() {
            ZKClientConfig config = new ZKClientConfig(); // reads the system properties zookeeper.…
            config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(TIMEOUT_MILLIS));
            CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                    .connectString(servers)
                    .connectionTimeoutMs(TIMEOUT_MILLIS)
                    .sessionTimeoutMs(2 * TIMEOUT_MILLIS) // idgen has nothing that ends with a session
                    .retryPolicy(new RetryNTimes(0, 0)) // a repeated request could find its own effect
                    .ensembleTracker(false) // the servers' own addresses may not be reachable from here
                    .zkClientConfig(config)
                    .aclProvider(SameForAll.of(access));
            auth.ifPresent(
                    each -> builder.authorization(each.scheme, each.credentials.getBytes(StandardCharsets.UTF_8)));
            CuratorFramework client = builder.build();
            client.start();
            return client;
        }
    }

    /**
     * Starts a client for idgen's tool, as the settings with the same names do.
     *
     * @param servers the value of {@code idgen.zookeeper.connect}
     * @param auth the value of {@code idgen.zookeeper.auth}; null for none
     * @return a client that the caller closes; it connects in the background
     * @throws IllegalArgumentException if one of them is invalid
     */
    public static CuratorFramework start(String servers, @Nullable String auth) {
        return Client.of(servers(servers), Optional.ofNullable(auth).map(Auth::parse), Optional.empty())
                .start();
    }

    /** Called by the service loader. */
    public ZooKeeperLeaseStoreProvider() {}

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(CONNECT, ROOT, AUTH, ACL_OF_NODES);
    }

    @Override
    public List<Class<?>> resources() {
        return List.of(CuratorFramework.class);
    }

    @Override
    public boolean isAvailable(SourceContext context) {
        return context.resource(CuratorFramework.class).isPresent() || context.isGiven(CONNECT);
    }

    @Override
    public LeaseStore open(SourceContext context) {
        CuratorFramework client = context.resource(CuratorFramework.class).orElseGet(() -> {
            Client own = Client.of(context.get(CONNECT), context.find(AUTH), context.find(ACL_OF_NODES));
            return context.shared(own, own::start);
        });
        return new ZooKeeperWorkerIds(client, context.get(ROOT));
    }

    private static String servers(String text) {
        String servers = text.strip();
        try {
            new ConnectStringParser(servers);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "servers with their ports are expected, like zk1:2181,zk2:2181,zk3:2181, got '" + servers + "'", e);
        }
        return servers;
    }
}
