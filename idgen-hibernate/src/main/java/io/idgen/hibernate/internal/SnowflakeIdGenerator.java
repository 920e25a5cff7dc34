package io.idgen.hibernate.internal;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.SourceBinder;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.hibernate.SnowflakeId.Preset;
import io.idgen.text.IdCodec;
import java.lang.reflect.Member;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hibernate.StatelessSession;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.BulkInsertionCapableIdentifierGenerator;
import org.hibernate.id.OptimizableGenerator;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.ComponentType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Generates the ids of entities. At boot it only looks up the registry's {@link IdgenService}. Hibernate creates two
 * generators per entity, and may discard one unused.
 *
 * <p>In XML mappings, name this class as the generator. It has the parameters {@code source}, {@code codec} and
 * {@code preset}, as {@link SnowflakeId} has attributes.
 *
 * <p>One class file serves every version of Hibernate from 6.6 on; comments mark code for a single version.
 */
public final class SnowflakeIdGenerator
        implements OptimizableGenerator,
                BulkInsertionCapableIdentifierGenerator,
                AnnotationBasedGenerator<SnowflakeId> {
    private static final long serialVersionUID = 1L;

    /** Older versions set the part of a composite id that is null, and fail with a NullPointerException. */
    private static final boolean IS_NULL_REFUSED = MappingCheck.isBefore(7, 4);

    private transient @Nullable Values values;
    private transient @Nullable RootClass mapping;
    private Preset preset = Preset.REFUSE;
    private String attribute = "id";

    /** Called by Hibernate. */
    public SnowflakeIdGenerator() {}

    @Override
    public void initialize(SnowflakeId annotation, GeneratorCreationContext context) {
        initialize(annotation, Attribute.member(context), context);
    }

    // The method of Hibernate before 7.3, which has no member details.
    @Override
    @SuppressWarnings("removal")
    public void initialize(SnowflakeId annotation, Member member, GeneratorCreationContext context) {
        preset = annotation.preset();
        Property property = Attribute.property(member, context);
        attribute = property.getName();
        values = Values.of(annotation, member, property, context, true);
        if (context.getProperty() == null) {
            // Hibernate 6.6 needs a property to configure a generator, which it does next, and an id class has none.
            mapping = context.getPersistentClass().getRootClass();
            mapping.setIdentifierProperty(property);
        }
    }

    // The method of all versions; the newer one with a context calls it. With an annotation, everything is already set.
    @Override
    @SuppressWarnings("removal")
    public void configure(Type type, Properties parameters, ServiceRegistry registry) {
        if (values != null) {
            if (mapping != null) {
                try {
                    mapping.setIdentifierProperty(null);
                } catch (NullPointerException e) {
                    mapping = null; // the property is reset; Hibernate 6.6 sets the owner of null next
                }
            }
            return;
        }
        String entity = parameters.getProperty(JPA_ENTITY_NAME, "");
        String source = SourceBinder.nameOf(parameters.getProperty("target_table", entity));
        preset = Preset.valueOf(parameters.getProperty("preset", Preset.REFUSE.name()));
        values = Values.of(
                new Attribute(
                        List.of(entity),
                        source,
                        attribute,
                        type.getReturnedClass(),
                        columns(parameters, registry),
                        true,
                        null),
                parameters.getProperty("source", source),
                IdCodec.valueOf(parameters.getProperty("codec", IdCodec.BASE32.name())),
                registry);
    }

    private static Set<String> columns(Properties parameters, ServiceRegistry registry) {
        String table = parameters.getProperty("target_table");
        String column = parameters.getProperty("target_column");
        String schema = EntityDatabase.defaultSchema(registry);
        return table == null || column == null
                ? Set.of()
                : Set.of((schema == null ? "" : schema + ".") + table + "." + column);
    }

    @Override
    public void registerExportables(Database database) {
        Objects.requireNonNull(values, "configured").contributeTables(database);
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return preset == Preset.KEEP;
    }

    /** Generates an id. The owner is null in an HQL insert; the current value is null unless preset ids are kept. */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        Object kept = kept(session, owner, currentValue);
        return kept == null ? generate(session, owner) : kept;
    }

    /** Generates an id without blocking, for an entity of Hibernate Reactive, which passes no current value. */
    CompletableFuture<Object> generateLater(SharedSessionContractImplementor session, @Nullable Object owner) {
        Object current = preset == Preset.KEEP && owner != null
                ? session.getEntityPersister(null, owner).getIdentifier(owner, session)
                : null;
        Object kept = kept(session, owner, current);
        return kept == null
                ? Objects.requireNonNull(values, "configured").nextLater()
                : CompletableFuture.completedFuture(kept);
    }

    /** Returns the id that is kept; null if the entity needs one. Refuses an id that the mapping does not keep. */
    private @Nullable Object kept(
            SharedSessionContractImplementor session, @Nullable Object owner, @Nullable Object current) {
        if (owner != null) {
            refuseNullKey(session, owner);
        }
        if (preset == Preset.KEEP) {
            return IdType.isSet(current) ? current : null;
        }
        if (owner != null) {
            refuseToOverwrite(session, owner);
        }
        return null;
    }

    @Override
    public Object generate(SharedSessionContractImplementor session, @Nullable Object owner) {
        return Objects.requireNonNull(values, "configured").next();
    }

    /**
     * Refuses an entity that has an id, which would be overwritten with the new one. Hibernate checks this itself,
     * except in a stateless session and in a composite id.
     */
    private void refuseToOverwrite(SharedSessionContractImplementor session, Object owner) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        if (session instanceof StatelessSession || persister.getIdentifierType().isComponentType()) {
            PresetIds.of(persister, persister.getIdentifier(owner, session), attribute)
                    .ifPresent(preset -> {
                        throw new PresetIds.Refusal(preset);
                    });
        }
    }

    private static void refuseNullKey(SharedSessionContractImplementor session, Object owner) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        if (IS_NULL_REFUSED
                && persister.getIdentifierType() instanceof ComponentType id
                && id.isMutable()
                && persister.getIdentifier(owner, session) == null) {
            throw new IdGenerationException(
                    ErrorCode.HIBERNATE_TOO_OLD,
                    persister.getEntityName() + "." + persister.getIdentifierPropertyName()
                            + " is null, and this version of Hibernate does not create it; create it in the entity, as in"
                            + " id = new " + id.getReturnedClass().getSimpleName() + "(), or use Hibernate 7.4");
        }
    }

    @Override
    public Optimizer getOptimizer() {
        return new RowByRow();
    }

    @Override
    public boolean supportsBulkInsertionIdentifierGeneration() {
        return false; // SQL cannot generate the ids
    }

    @Override
    public String determineBulkInsertionIdentifierGenerationSelectFragment(SqlStringGenerationContext context) {
        throw new IdGenerationException(
                ErrorCode.INSERT_SELECT_UNSUPPORTED,
                "Hibernate runs an HQL insert … select as one statement on this database, and that cannot call idgen;"
                        + " since Hibernate 7.1, you can set hibernate.query.insert_strategy to"
                        + " org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableInsertStrategy; with each"
                        + " version, select ids of your own too, or insert entities through a StatelessSession");
    }
}
