package io.idgen.redis;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts with Lettuce. After each failure it opens a new connection, and asks Sentinel or the Cluster again for
 * the primary.
 */
final class LettuceScripts implements RedisScripts {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Transient errors: they end without a change of the configuration. */
    private static final Set<String> PASSING = Set.of(
            "READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "MISCONF", "OOM", "BUSY");

    /** How Redis before 7.0 reports the error of a command inside a script. Later versions begin with its word. */
    private static final Pattern INSIDE_SCRIPT = Pattern.compile("ERR Error running script .*? -(?=[A-Z]+ )");

    /** A slot of the cluster has another node, or is on its way to it. */
    private static final Set<String> MOVED = Set.of("MOVED", "ASK");

    /** A connection to a primary, or those to the primaries of a Redis Cluster. */
    private record Primaries(
            StatefulConnection<String, String> stateful,
            Function<String, StatefulRedisConnection<String, String>> byKey) {

        boolean isOpen(String key) {
            try {
                return stateful.isOpen() && byKey.apply(key).isOpen();
            } catch (RedisException e) {
                return false; // the cluster may have other primaries now
            }
        }
    }

    private final List<RedisURI> uris;
    private final boolean cluster;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable AbstractRedisClient client;
    private @Nullable Primaries connection;
    private boolean closed;

    LettuceScripts(String uri) {
        uris = parse(uri);
        cluster = uris.size() > 1;
    }

    /** Throws without a cause: the cause's message has the whole address, with the password. */
    private static List<RedisURI> parse(String text) {
        List<RedisURI> parsed;
        try {
            URI uri = URI.create(text.strip());
            parsed = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme())
                    ? RedisClusterURIUtil.toRedisURIs(uri)
                    : List.of(RedisURI.create(uri));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the address of Redis is redis://host:6379, rediss://user:password@host:6379 for TLS,"
                            + " redis-sentinel://host:26379,host:26379#primary, or redis://host:7000,host:7001 for the"
                            + " nodes of a Redis Cluster; characters such as # and @ in a password are written as %23"
                            + " and %40. The given text, which is not shown, is none of these");
        }
        if (!text.contains("timeout=")) {
            parsed.forEach(each -> each.setTimeout(TIMEOUT));
        }
        return parsed;
    }

    @Override
    public List<String> run(String script, String key, List<String> arguments) {
        Primaries open = connection(key);
        try {
            return run(open.byKey.apply(key).sync(), script, key, arguments);
        } catch (RedisCommandExecutionException e) {
            String answer = String.valueOf(e.getMessage());
            String word = INSIDE_SCRIPT.matcher(answer).replaceFirst("").split(" ", 2)[0];
            if (PASSING.contains(word) || (cluster && MOVED.contains(word))) {
                discard(open);
                throw new StoreUnavailableException("Redis at " + this + " cannot run a script: " + answer, e);
            }
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED, "Redis at " + this + " refuses a script: " + advised(answer), e);
        } catch (RedisCommandInterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while Redis at " + this + " ran a script", e);
        } catch (RedisException e) {
            discard(open);
            throw new StoreUnavailableException("Redis at " + this + " did not answer: " + e.getMessage(), e);
        }
    }

    private static String advised(String answer) {
        if (answer.startsWith("MOVED")) {
            return answer + "; this is a Redis Cluster: name two or more of its nodes, separated by commas";
        }
        // Redis sends the second text for a command inside a script
        return answer.startsWith("NOPERM") || answer.contains("user executing the script can't")
                ? answer + "; the user needs the commands EVAL, EVALSHA, INFO, TIME, HGET, HMGET, HSET and HDEL on the"
                        + " keys of idgen, and HGETALL for idgen doctor and idgen repair"
                : answer;
    }

    private List<String> run(
            RedisScriptingCommands<String, String> commands, String script, String key, List<String> arguments) {
        String[] keys = {key};
        String[] values = arguments.toArray(String[]::new);
        List<Object> answer;
        try {
            answer = commands.evalsha(commands.digest(script), ScriptOutputType.MULTI, keys, values);
        } catch (RedisNoScriptException e) {
            answer = commands.eval(script, ScriptOutputType.MULTI, keys, values);
        }
        return answer.stream().map(String::valueOf).toList();
    }

    private Primaries connection(String key) {
        lock.lock();
        try {
            Primaries open = connection;
            if (open != null && !open.isOpen(key)) {
                discard(open);
                open = null;
            }
            if (open == null) {
                open = connect();
                connection = open;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private Primaries connect() {
        if (closed) {
            throw new AllocationException(ErrorCode.SOURCE_CLOSED, "the connection to Redis at " + this + " is closed");
        }
        try {
            return cluster ? connectToCluster() : connectToPrimary();
        } catch (LinkageError e) {
            throw unfit(e);
        } catch (RedisException e) {
            throw failed(e);
        }
    }

    /** Artifacts of Netty that do not fit each other, or Lettuce, fail only now, and that is no outage. */
    private static ConfigurationException unfit(Throwable cause) {
        return new ConfigurationException(
                ErrorCode.UNKNOWN_STRATEGY,
                "the artifacts of io.netty on the class path do not serve Lettuce: " + cause
                        + "; use all of them in the version that io.lettuce:lettuce-core needs, for example by the BOM"
                        + " io.netty:netty-bom",
                cause);
    }

    private IdGenerationException failed(RedisException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof LinkageError) {
                return unfit(cause);
            }
        }
        return e instanceof RedisConnectionException
                ? new StoreUnreachableException("Redis at " + this + " refuses a connection: " + reason(e), e)
                : new StoreUnavailableException("Redis at " + this + " gives no connection: " + reason(e), e);
    }

    private static String reason(Throwable e) {
        Throwable last = e;
        boolean isOfTls = false;
        while (last.getCause() != null) {
            last = last.getCause();
            isOfTls |= last instanceof SSLException;
        }
        return last.getMessage()
                + (isOfTls
                        ? "; TLS failed: if the server's certificate is of a CA that this JVM does not trust, start it"
                                + " with -Djavax.net.ssl.trustStore=<file with the certificate of the CA>"
                        : "");
    }

    private Primaries connectToPrimary() {
        RedisClient primary = (RedisClient) client;
        if (primary == null) {
            primary = RedisClient.create();
            primary.setOptions(options());
            client = primary;
        }
        StatefulRedisConnection<String, String> stateful = primary.connect(StringCodec.UTF8, uris.get(0));
        return new Primaries(stateful, key -> stateful);
    }

    private Primaries connectToCluster() {
        RedisClusterClient nodes = (RedisClusterClient) client;
        if (nodes == null) {
            nodes = RedisClusterClient.create(uris);
            nodes.setOptions(ClusterClientOptions.builder(options()).build());
            client = nodes;
        } else {
            nodes.refreshPartitions();
        }
        StatefulRedisClusterConnection<String, String> stateful = nodes.connect();
        return new Primaries(stateful, key -> primaryOf(key, stateful));
    }

    /** Waits for the connection to the node. Lettuce itself would queue the script, and might send it later. */
    private static StatefulRedisConnection<String, String> primaryOf(
            String key, StatefulRedisClusterConnection<String, String> nodes) {
        int slot = SlotHash.getSlot(key);
        RedisClusterNode primary = nodes.getPartitions().getMasterBySlot(slot);
        if (primary == null) {
            throw new RedisException("no node of the cluster has slot " + slot);
        }
        return nodes.getConnection(primary.getNodeId());
    }

    /** A client that reconnects sends a script again whose answer was lost. */
    private ClientOptions options() {
        return ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(uris.get(0).getTimeout())
                        .build())
                .build();
    }

    private void discard(Primaries failed) {
        lock.lock();
        try {
            if (failed.equals(connection)) {
                connection = null;
            }
        } finally {
            lock.unlock();
        }
        if (failed.stateful.isOpen()) {
            failed.stateful.closeAsync();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            connection = null;
            if (client != null) {
                client.shutdownAsync(0, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the hosts without user and password. */
    @Override
    public String toString() {
        return String.join(",", uris.stream().map(LettuceScripts::host).toList());
    }

    private static String host(RedisURI uri) {
        if (uri.getSentinels().isEmpty()) {
            return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
        }
        return uri.getSentinelMasterId() + " of sentinels "
                + String.join(
                        ",",
                        uri.getSentinels().stream().map(LettuceScripts::host).toList());
    }
}
