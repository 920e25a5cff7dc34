package io.idgen.cli.leases;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.DatabaseOptions;
import io.idgen.cli.common.PrefixOption;
import io.idgen.cli.doctor.Doctor;
import io.idgen.cli.doctor.KnownTables;
import io.idgen.cli.doctor.Repair;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import io.idgen.zookeeper.ZooKeeperWorkerIds;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options for the store of worker ids, which is a database, Redis or ZooKeeper: a mixin. Refuses options for
 * another kind of store than the given one.
 */
public final class LeaseOptions {
    private static final String REDIS = "--redis";
    private static final String ZOOKEEPER = "--zookeeper";
    private static final Map<String, List<String>> ONLY_FOR = Map.of(
            REDIS,
            List.of("--redis --key-prefix".split(" ")),
            ZOOKEEPER,
            List.of("--zookeeper --root --zookeeper-auth".split(" ")),
            "--url",
            List.of(("--url --user --password-file --password --prefix --column --server-identity --backup-time")
                    .split(" ")));

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private PrefixOption prefix = new PrefixOption();

    @Option(
            names = REDIS,
            paramLabel = "<uri>",
            description =
                    "In place of a database: the address of Redis, as in idgen.redis.uri, with its own ?timeout=. If"
                            + " it contains a password, write the option into a file and pass @<file>, so that no"
                            + " process list shows it.")
    private @Nullable String redis;

    @Option(
            names = "--key-prefix",
            paramLabel = "<prefix>",
            defaultValue = RedisWorkerIds.DEFAULT_KEY_PREFIX,
            description =
                    "The first word of the keys in Redis, as in idgen.redis.key-prefix. Default: ${DEFAULT-VALUE}.")
    private String keyPrefix = RedisWorkerIds.DEFAULT_KEY_PREFIX;

    @Option(
            names = ZOOKEEPER,
            paramLabel = "<servers>",
            description = "In place of a database: the servers of ZooKeeper, as in idgen.zookeeper.connect.")
    private @Nullable String zooKeeper;

    @Option(
            names = "--root",
            paramLabel = "<path>",
            defaultValue = ZooKeeperWorkerIds.DEFAULT_ROOT,
            description = "The path of the nodes in ZooKeeper, as in idgen.zookeeper.root. Default: ${DEFAULT-VALUE}.")
    private String root = ZooKeeperWorkerIds.DEFAULT_ROOT;

    @Option(
            names = "--zookeeper-auth",
            paramLabel = "<scheme:credentials>",
            description = "Credentials for ZooKeeper, as in idgen.zookeeper.auth. Write the option into a file and pass"
                    + " @<file>, so that no process list shows it.")
    private @Nullable String auth;

    @Option(
            names = "--namespace",
            paramLabel = "<name>",
            defaultValue = "default",
            description =
                    "The namespace of the worker ids. Without a subcommand it matters only with --redis: databases"
                            + " and ZooKeeper are examined and repaired with all namespaces. Default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    public LeaseOptions() {}

    /**
     * Returns whether a store was given.
     *
     * @return false if the command works without one
     */
    public boolean isGiven() {
        return database.isGiven() || redis != null || zooKeeper != null;
    }

    /**
     * Opens the store.
     *
     * @param options adds the options of the command to a database
     * @return the store; the caller closes it
     * @throws BadInputException if no store is given, or an option for another kind of store
     * @throws IllegalArgumentException if an option has an invalid value
     */
    public OpenStore open(UnaryOperator<KnownTables> options) {
        if (redis != null) {
            refuseOthersThan(REDIS);
            RedisScripts scripts = RedisScripts.connectingTo(redis);
            RedisWorkerIds leases = new RedisWorkerIds(scripts).withKeyPrefix(keyPrefix);
            return open("Redis at " + scripts, leases, new RedisAdmin(scripts, leases), scripts::close);
        }
        if (zooKeeper != null) {
            refuseOthersThan(ZOOKEEPER);
            CuratorFramework client = ZooKeeperLeaseStoreProvider.start(zooKeeper, auth);
            ZooKeeperWorkerIds leases = new ZooKeeperWorkerIds(client, root);
            return open("ZooKeeper at " + zooKeeper + root, leases, leases.admin(), client::close);
        }
        refuseOthersThan("--url");
        if (!database.isGiven()) {
            throw new BadInputException(
                    "no store is given; set a database, for example --url jdbc:postgresql://localhost/shop --user shop,"
                            + " or --redis redis://host:6379, or --zookeeper zk1:2181,zk2:2181,zk3:2181");
        }
        KnownTables tables = options.apply(new KnownTables(database.dataSource()).withPrefix(prefix.get()));
        return new OpenStore(
                database.shownUrl(),
                new JdbcWorkerIds(database.dataSource()).inTable(prefix.get() + "worker"),
                clock -> Doctor.examine(tables, clock),
                Repair.of(tables),
                () -> {});
    }

    private OpenStore open(String name, LeaseStore leases, LeaseAdmin admin, Runnable close) {
        return new OpenStore(name, leases, clock -> Doctor.examine(admin, namespace, clock), Repair.of(admin), close);
    }

    private void refuseOthersThan(String kind) {
        for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
            ONLY_FOR.forEach((other, names) -> {
                if (!other.equals(kind) && names.contains(option.longestName())) {
                    throw new BadInputException(
                            option.longestName() + " is an option with " + other + ", and not with " + kind);
                }
            });
        }
    }

    /**
     * Returns the namespace of the worker ids.
     *
     * @return the namespace
     */
    public String namespace() {
        return namespace;
    }
}
