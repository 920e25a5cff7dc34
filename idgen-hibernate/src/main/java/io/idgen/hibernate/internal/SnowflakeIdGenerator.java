package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.hibernate.SnowflakeId.Preset;
import java.lang.reflect.Member;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.hibernate.StatelessSession;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.BulkInsertionCapableIdentifierGenerator;
import org.hibernate.id.OptimizableGenerator;
import org.hibernate.id.enhanced.HiLoOptimizer;
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
        if (values == null) {
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_MAPPING,
                    "the mapping of entity " + parameters.getProperty(JPA_ENTITY_NAME) + " names "
                            + SnowflakeIdGenerator.class.getName() + " as its generator, without the annotation that"
                            + " configures it; annotate the id with @SnowflakeId");
        }
        if (mapping != null) {
            try {
                mapping.setIdentifierProperty(null);
            } catch (NullPointerException e) {
                mapping = null; // the property is reset; Hibernate 6.6 sets the owner of null next
            }
        }
    }

    @Override
    public void registerExportables(Database database) {
        Objects.requireNonNull(values, "initialized").contributeTables(database);
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return preset == Preset.KEEP;
    }

    /**
     * Generates an id, unless the entity has one that the mapping keeps. The owner is null in an HQL insert. The
     * current value is not used: Hibernate Reactive passes none.
     */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (owner == null) {
            return generate(session, null);
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        refuseNullKey(session, persister, owner);
        if (preset == Preset.REFUSE
                && !(session instanceof StatelessSession)
                && !persister.getIdentifierType().isComponentType()) {
            return generate(session, owner); // Hibernate itself refuses an id that is set
        }
        Optional<PresetIds> set = PresetIds.of(persister, persister.getIdentifier(owner, session), attribute);
        if (set.isPresent() && preset == Preset.REFUSE) {
            throw new PresetIds.Refusal(set.get());
        }
        return set.map(PresetIds::value).orElseGet(() -> generate(session, owner));
    }

    @Override
    public Object generate(SharedSessionContractImplementor session, @Nullable Object owner) {
        return Objects.requireNonNull(values, "initialized").next();
    }

    private static void refuseNullKey(
            SharedSessionContractImplementor session, EntityPersister persister, Object owner) {
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

    /**
     * Makes Hibernate request an id for each row of an HQL {@code insert … select}, as it does for optimizers with an
     * increment above 1. It assumes SQL for all other generators, or numbers the rows itself. It does not call the
     * optimizer.
     */
    @Override
    public Optimizer getOptimizer() {
        return new HiLoOptimizer(Long.class, 2);
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
