package io.idgen.spring.boot;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the ids of entities of MyBatis-Plus with {@code IdType.ASSIGN_ID}. The source of an entity has the simple name
 * of its class. {@code IdWorker.getId()}, which has no entity, uses the source {@code IdWorker}. Safe for many threads.
 */
final class MybatisPlusIds implements IdentifierGenerator, BindsLater {
    private final SourceBinder binder;
    private final Map<Class<?>, IdSource> sources = new ConcurrentHashMap<>();

    MybatisPlusIds(SourceBinder binder) {
        this.binder = binder;
    }

    @Override
    public Number nextId(@Nullable Object entity) {
        return sources.computeIfAbsent(entity == null ? IdWorker.class : entity.getClass(), this::bind)
                .nextId();
    }

    @Override
    public boolean mayBind(String source) {
        return source.equals(IdWorker.class.getSimpleName())
                || TableInfoHelper.getTableInfos().stream()
                        .anyMatch(table -> table.getEntityType().getSimpleName().equals(source));
    }

    private IdSource bind(Class<?> type) {
        TableInfo table = TableInfoHelper.getTableInfo(type);
        String name = (table == null ? type : table.getEntityType()).getSimpleName();
        if (table == null || !table.havePK() || table.getKeyType() == String.class) {
            binder.bind(name, Map.of());
        } else {
            String column = table.getTableName() + "." + table.getKeyColumn();
            refuseNarrow(table, binder.bind(name, Map.of("adopt", column)).largestId());
        }
        return binder.sources().lend(name);
    }

    /**
     * Refuses a type that is too narrow. MyBatis-Plus would truncate larger ids to it, and two of them could then be
     * equal.
     */
    private static void refuseNarrow(TableInfo table, long largestId) {
        if (table.getKeyType() == Integer.class && largestId > Integer.MAX_VALUE) {
            String source = "idgen.sources." + table.getEntityType().getSimpleName();
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "the id of " + table.getEntityType().getName() + " is an Integer, which holds at most "
                            + Integer.MAX_VALUE + ", and its source generates ids up to " + largestId
                            + "; change the type to Long, or set " + source + ".strategy=segment and " + source
                            + ".limit=" + (Integer.MAX_VALUE + 1L));
        }
    }
}
