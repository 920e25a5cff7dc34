package io.idgen.quarkus;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.util.Map;
import java.util.Optional;

/**
 * Tells editors which settings there are. Nothing reads it: idgen knows the settings itself, also those of strategies
 * that others write. {@code .ci/pages quarkus} writes the methods.
 */
@ConfigMapping(prefix = "idgen")
interface IdgenConfig {
    /**
     * How long a call may wait for an id. If not set, the first ids of a table may take 30s, while drivers and pools
     * are loaded.
     */
    @WithDefault("3s")
    @WithName("acquire-timeout")
    String acquireTimeout();

    /** The JNDI name of a DataSource that only idgen uses; under Hibernate also the DataSource itself. */
    @WithName("jdbc.data-source")
    Optional<String> jdbcDataSource();

    /**
     * On which databases idgen creates its missing tables: never, embedded or always. With the Spring Boot starter also
     * flyway or liquibase, which create them.
     */
    @WithDefault("embedded")
    @WithName("jdbc.initialize-schema")
    String jdbcInitializeSchema();

    /** The password for idgen.jdbc.url. */
    @WithDefault("")
    @WithName("jdbc.password")
    String jdbcPassword();

    /**
     * The schema of idgen's tables, if it is not the connection's default schema; under Hibernate
     * hibernate.default_schema if not set, also with the Spring Boot starter.
     */
    @WithName("jdbc.schema")
    Optional<String> jdbcSchema();

    /**
     * A name for this database server; change it after every failover, in all processes at once. Needed only if the
     * server cannot identify itself.
     */
    @WithName("jdbc.server-identity")
    Optional<String> jdbcServerIdentity();

    /** The prefix of the names of idgen's tables. */
    @WithDefault("idgen_")
    @WithName("jdbc.table-prefix")
    String jdbcTablePrefix();

    /** Timeout for opening a connection to the database, and for each statement of idgen. */
    @WithDefault("5s")
    @WithName("jdbc.timeout")
    String jdbcTimeout();

    /** The JDBC URL of the database with idgen's tables, if you pass no DataSource. */
    @WithName("jdbc.url")
    Optional<String> jdbcUrl();

    /** The user for idgen.jdbc.url. */
    @WithName("jdbc.user")
    Optional<String> jdbcUser();

    /** The first word of idgen's keys in Redis; the same for all processes. */
    @WithDefault("idgen")
    @WithName("redis.key-prefix")
    String redisKeyPrefix();

    /**
     * The addresses of 1 to 10 Redis for redis-shards, with spaces between them, in the same order in all processes:
     * the last digit of an id is the position of its Redis, from 0.
     */
    @WithName("redis.shards")
    Optional<String> redisShards();

    /**
     * The address of Redis, with user, password and timeout as Lettuce writes them: redis://host:6379, rediss:// for
     * TLS, redis-sentinel://host,host#primary, or redis://host,host for nodes of a Redis Cluster.
     */
    @WithName("redis.uri")
    Optional<String> redisUri();

    /** The largest number of ids that a refill fetches; a crash loses the ids of up to two refills. */
    @WithDefault("10000000")
    @WithName("segment.max-step")
    String segmentMaxStep();

    /**
     * The order of ids: process (ids increase from call to call) or thread (each thread reserves up to 256 ids, which
     * is several times as fast; ids of different threads are not in order, and a shutdown loses the reserved ids).
     */
    @WithDefault("process")
    @WithName("segment.order")
    String segmentOrder();

    /**
     * How many ids a row grants at most in ten minutes, for rows that have no reach yet. After a takeover by a replica,
     * twice as many are skipped. If not set, 1000000000 or 1/2048 of the limit, whichever is less.
     */
    @WithName("segment.reach")
    Optional<String> segmentReach();

    /** How long the reserved ids last during a database outage, at the current rate. */
    @WithDefault("60s")
    @WithName("segment.reserve")
    String segmentReserve();

    /** How many ids the first refill fetches; later refills fetch as many as the reserve needs. */
    @WithDefault("1000")
    @WithName("segment.step")
    String segmentStep();

    /** The segment table, optionally with its schema; the default is idgen_segment. */
    @WithName("segment.table")
    Optional<String> segmentTable();

    /**
     * What to do if this host's clock steps back: fail, wait:5ms, run-ahead:1s or reuse:2048, with any numbers, or
     * wait:unlimited, which can block all calls. Not allowed with leased worker ids, which do not use this clock.
     */
    @WithDefault("wait:5ms")
    @WithName("snowflake.clock-policy")
    String snowflakeClockPolicy();

    /**
     * The instant at which the time in ids is 0, with a zone or in milliseconds since 1970. If not set, the layout's
     * epoch.
     */
    @WithName("snowflake.epoch")
    Optional<String> snowflakeEpoch();

    /**
     * How the bits of an id are divided: idgen, js-safe, twitter, discord, instagram, sonyflake, tsid, or widths of
     * time-datacenter-worker-sequence like 41-5-5-12.
     */
    @WithDefault("idgen")
    @WithName("snowflake.layout")
    String snowflakeLayout();

    /**
     * The largest id of an earlier generator, or the column with its ids as table.column. If the next id is not above
     * it, the first id fails, and the message proposes a layout or an epoch; with idgen.startup=eager, the start fails.
     * Each start reads the column once, and uses one id.
     */
    @WithName("snowflake.start-above")
    Optional<String> snowflakeStartAbove();

    /**
     * Each tick begins at a sequence below this power of two, so that ids at a low rate spread evenly over id % 2, 4, 8
     * and so on up to it. At most half of a tick's ids, which is the default of small layouts. 1: each tick begins at
     * 0. Has no effect in layouts whose lowest bits are the worker's.
     */
    @WithDefault("64")
    @WithName("snowflake.start-offset-below")
    String snowflakeStartOffsetBelow();

    /**
     * When sources connect and fetch their first ids: lazy (with the first id) or eager (at start). With the Spring
     * Boot starter, eager is the default on a database server.
     */
    @WithDefault("lazy")
    @WithName("startup")
    String startup();

    /** The number of this database's instance in the strategy stepped, from 1 to the number of instances. */
    @WithName("stepped.instance")
    Optional<String> steppedInstance();

    /** The number of instances of the strategy stepped; each has its own database. */
    @WithName("stepped.instances")
    Optional<String> steppedInstances();

    /** How ids are generated: the name of a strategy. */
    @WithDefault("snowflake")
    @WithName("strategy")
    String strategy();

    /** How long the first call may wait for a worker id. */
    @WithDefault("30s")
    @WithName("worker.acquire-timeout")
    String workerAcquireTimeout();

    /**
     * Where the worker id comes from: jdbc, redis or zookeeper (leased there; each is a module), lease-store (leased
     * from a LeaseStore that you pass in), fixed (idgen.worker.id), env, env:VARIABLE, property:NAME, ordinal (app-3),
     * ip, ip:INTERFACE, mac, mac:INTERFACE, single-process (you guarantee that there is no other process), or the name
     * of a class that is a WorkerIdAssigner. With a database, Redis or ZooKeeper, exactly that worker id is leased
     * there, except for single-process. If not set: a WorkerIdAssigner or LeaseStore that you pass in, else jdbc with a
     * database, redis or zookeeper with its address, else fixed.
     */
    @WithName("worker.assigner")
    Optional<String> workerAssigner();

    /**
     * The datacenter id of this process. If not set: any with leases, from the address with ip and mac, otherwise 0.
     */
    @WithName("worker.datacenter-id")
    Optional<String> workerDatacenterId();

    /**
     * The worker id of this process, different in each process. With a database, idgen leases this worker id: after a
     * kill it is free again after idgen.worker.lease, and its ids may carry times up to idgen.worker.window in the
     * future.
     */
    @WithName("worker.id")
    Optional<String> workerId();

    /**
     * After how long without renewal another process may take the worker id. A process renews its lease and its window
     * after a third of this time.
     */
    @WithDefault("30s")
    @WithName("worker.lease")
    String workerLease();

    /** The scope in which worker ids are unique. Ids of two namespaces can be equal. */
    @WithDefault("default")
    @WithName("worker.namespace")
    String workerNamespace();

    /** The name of the application, which the lease table shows before the process id and the host (owner_info). */
    @WithName("worker.owner")
    Optional<String> workerOwner();

    /**
     * What happens to unused time when a process releases its lease: lower (other processes use it) or keep (no process
     * uses it; choose this if a virtual machine may be copied while it runs).
     */
    @WithDefault("lower")
    @WithName("worker.release-horizon")
    String workerReleaseHorizon();

    /**
     * Worker ids that a process without a worker id of its own never leases, in any datacenter, such as 0-3,7; the same
     * for all processes. List those of backfills, and those that some processes set or determine (fixed, env, property,
     * ordinal, ip, mac).
     */
    @WithName("worker.reserved")
    Optional<String> workerReserved();

    /** How far ahead a process reserves time: about how long ids last during an outage of the database. */
    @WithDefault("180s")
    @WithName("worker.window")
    String workerWindow();

    /**
     * Who may use the nodes that idgen creates: open (everybody) or creator (whoever has the same credentials). If not
     * set: creator with idgen.zookeeper.auth, else open.
     */
    @WithName("zookeeper.acl")
    Optional<String> zookeeperAcl();

    /** Credentials for ZooKeeper, like digest:user:password. Not needed with SASL or client certificates. */
    @WithName("zookeeper.auth")
    Optional<String> zookeeperAuth();

    /** The servers of ZooKeeper, like zk1:2181,zk2:2181,zk3:2181, if you pass no CuratorFramework. */
    @WithName("zookeeper.connect")
    Optional<String> zookeeperConnect();

    /** The path of idgen's nodes; processes whose ids must differ need the same one. */
    @WithDefault("/idgen")
    @WithName("zookeeper.root")
    String zookeeperRoot();

    /** Timeout for a connection to ZooKeeper, and for each request. */
    @WithDefault("5s")
    @WithName("zookeeper.timeout")
    String zookeeperTimeout();

    /** Settings of single sources: idgen.sources.Book.strategy is that of the source 'Book'. */
    Map<String, Map<String, String>> sources();
}
