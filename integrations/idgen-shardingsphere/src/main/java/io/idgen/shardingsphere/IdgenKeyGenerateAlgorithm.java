package io.idgen.shardingsphere;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;
import org.jspecify.annotations.Nullable;

/**
 * A key generator for ShardingSphere, of the type {@value #TYPE}. The source of a logical table has its name, in
 * lower case. The properties are settings of idgen, such as {@code idgen.jdbc.url} and
 * {@code idgen.sources.orders.strategy}.
 *
 * <p>ShardingSphere creates an object for each rule and each change of a rule, and closes none. So all objects with
 * equal settings share their sources, which are closed when the JVM ends. Safe for many threads.
 */
public final class IdgenKeyGenerateAlgorithm implements KeyGenerateAlgorithm {
    /** The name of this generator in the configuration of ShardingSphere. */
    public static final String TYPE = "IDGEN";

    private final Map<String, IdSource> tables = new ConcurrentHashMap<>();
    private @Nullable SourceBinder binder;

    /** Called by ShardingSphere. */
    public IdgenKeyGenerateAlgorithm() {}

    /**
     * Checks the settings. Does no I/O.
     *
     * @param settings by full name; system properties and environment variables take precedence
     * @throws ConfigurationException if a setting is unknown, or a value is invalid
     */
    @Override
    public void init(Properties settings) {
        Map<String, String> known = new TreeMap<>();
        for (String key : settings.stringPropertyNames()) {
            if (!key.startsWith("idgen.")) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_SETTING,
                        "the key generator " + TYPE + " of ShardingSphere knows only settings that begin with idgen.,"
                                + " got '" + key + "'; write idgen." + key + ", or remove it");
            }
            known.put(key, settings.getProperty(key));
        }
        binder = SharedSources.with(known);
    }

    /**
     * Returns new ids. The first call opens the source of the table, and may wait until then; each call may wait as
     * {@link IdSource#nextId} does.
     *
     * @throws io.idgen.core.IdGenerationException as {@link IdSource#nextIds} throws it
     */
    @Override
    public List<Long> generateKeys(AlgorithmSQLContext context, int count) {
        return Arrays.stream(source(context.getTableName()).nextIds(count))
                .boxed()
                .toList();
    }

    private IdSource source(String table) {
        return tables.computeIfAbsent(table, logical -> {
            SourceBinder shared = binder;
            if (shared == null) {
                throw new IllegalStateException("ShardingSphere has not called init");
            }
            String name = SourceBinder.nameOf(logical);
            shared.bind(name, Map.of());
            return shared.sources().lend(name); // the first id opens it
        });
    }

    @Override
    public String getType() {
        return TYPE;
    }
}
