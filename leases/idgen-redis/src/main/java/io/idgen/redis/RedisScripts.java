package io.idgen.redis;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import java.util.List;

/**
 * Runs Lua scripts on the primary of one Redis. Implement it to use another client than Lettuce, such as Jedis, or a
 * connection that the application already has.
 *
 * <p>Safe for many threads.
 */
public interface RedisScripts extends AutoCloseable {

    /**
     * Runs a script. Sends it by its digest ({@code EVALSHA}), and as a whole if the server does not know it yet
     * ({@code EVAL}). Never sends it to a replica. Never sends it again if the answer is lost: the client must not
     * reconnect and repeat on its own (Lettuce: {@code autoReconnect(false)}). Blocks until Redis answers, for a
     * limited time.
     *
     * @param script the Lua source
     * @param key the only key that the script uses, {@code KEYS[1]}
     * @param arguments {@code ARGV}
     * @return the texts that the script returns
     * @throws StoreUnavailableException if Redis does not answer, or cannot run scripts at the moment. The script may
     *     have run, or may run later. A {@link io.idgen.core.StoreUnreachableException} says that it did not
     * @throws AllocationException if Redis refuses the script, for example for a missing permission
     */
    List<String> run(String script, String key, List<String> arguments);

    /** Closes the connection, if this object has opened it. */
    @Override
    void close();

    /**
     * Returns an implementation that uses Lettuce. The first script opens the connection.
     *
     * @param uri the address in the form of Lettuce's {@code RedisURI}: {@code redis://}, {@code rediss://} for TLS, or
     *     {@code redis-sentinel://host,host#primary}, with user, password and {@code ?timeout=}; 5 s if not given.
     *     Several hosts of {@code redis://}, separated by commas, are nodes of a Redis Cluster
     * @return scripts that the caller closes
     * @throws IllegalArgumentException if the text is not such an address; the message does not contain it, because it
     *     may have a password
     */
    static RedisScripts connectingTo(String uri) {
        return new LettuceScripts(uri);
    }
}
