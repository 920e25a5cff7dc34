package io.idgen.spring.boot;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the ids of entities of MyBatis-Plus with {@code IdType.ASSIGN_ID}. The source of an entity has the name of its
 * table. {@code IdWorker.getId()}, which has no table, uses the source {@value #WITHOUT_TABLE}. Safe for many threads.
 */
final class MybatisPlusIds implements IdentifierGenerator, BindsLater {
    private static final String WITHOUT_TABLE = "IdWorker";

    private final SourceBinder binder;
    private final Map<Class<?>, IdSource> sources = new ConcurrentHashMap<>();

    MybatisPlusIds(SourceBinder binder) {
        this.binder = binder;
    }

    /** {@inheritDoc} An id of 0 is not set, as everywhere in idgen: a {@code long} cannot be null. */
    @Override
    public boolean assignId(@Nullable Object id) {
        return IdentifierGenerator.super.assignId(id) || (id instanceof Number number && number.longValue() == 0);
    }

    @Override
    public Number nextId(@Nullable Object entity) {
        TableInfo table = entity == null ? null : TableInfoHelper.getTableInfo(entity.getClass());
        return sources.computeIfAbsent(table == null ? IdWorker.class : table.getEntityType(), type -> bind(table))
                .nextId();
    }

    @Override
    public Map<String, String> sourceByEntity() {
        Map<String, String> sources = new HashMap<>(Map.of(IdWorker.class.getName(), WITHOUT_TABLE));
        for (TableInfo table : TableInfoHelper.getTableInfos()) {
            Class<?> entity = table.getEntityType();
            RelationalIds.annotated(entity, RelationalIds.OF_SPRING_DATA, RelationalIds.OF_HIBERNATE)
                    .filter(member ->
                            !member.getName().equals(table.getKeyProperty()) && !RelationalIds.isEntityOfJpa(entity))
                    .findFirst()
                    .ifPresent(member -> {
                        throw RelationalIds.refusal("an annotation of idgen is on " + entity.getName() + "."
                                + member.getName()
                                + ", and MyBatis-Plus does not read it; remove it, and set the attribute"
                                + " from an IdSource");
                    });
            sources.put(entity.getName(), name(table));
        }
        return sources;
    }

    @SuppressWarnings("deprecation") // no other method leads to the default schema
    private static String name(TableInfo table) {
        return SourceBinder.nameOf(
                table.getTableName(),
                GlobalConfigUtils.getDbConfig(table.getConfiguration()).getSchema());
    }

    private IdSource bind(@Nullable TableInfo table) {
        String name = table == null ? WITHOUT_TABLE : name(table);
        if (table == null || !table.havePK() || table.getKeyType() == String.class) {
            binder.bind(name, Map.of());
        } else {
            String column = table.getTableName() + "." + table.getKeyColumn();
            Set<String> entities = Set.of(table.getEntityType().getName());
            long limit = table.getKeyType() == Integer.class ? Integer.MAX_VALUE + 1L : Long.MAX_VALUE;
            Map<String, String> known =
                    Map.of("adopt", column, "id-columns", column, "type-limit", Long.toString(limit));
            refuseNarrow(
                    table,
                    name,
                    binder.bind(name, known, Set.of(column), entities).largestId());
        }
        return binder.sources().lend(name);
    }

    /**
     * Refuses a type that is too narrow. MyBatis-Plus would truncate larger ids to it, and two of them could then be
     * equal.
     */
    private static void refuseNarrow(TableInfo table, String name, long largestId) {
        if (table.getKeyType() == Integer.class && largestId > Integer.MAX_VALUE) {
            String source = "idgen.sources." + name;
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "the id of " + table.getEntityType().getName() + " is an Integer, which holds at most "
                            + Integer.MAX_VALUE + ", and its source generates ids up to " + largestId
                            + "; change the type to Long, or set " + source + ".strategy=segment");
        }
    }
}
