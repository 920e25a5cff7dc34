package io.idgen.hibernate.internal;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.hibernate.SnowflakeId.Preset;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.PersistentObjectException;
import org.hibernate.PropertyValueException;
import org.hibernate.StaleObjectStateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.type.CompositeType;
import org.jspecify.annotations.Nullable;

/**
 * An id that the application has set although idgen generates the ids. Hibernate decides whether {@code persist} and
 * {@code merge} accept such an entity, and calls it "detached". It accepts every composite id; the generator refuses
 * one whose generated part is set. These listeners wrap Hibernate's own. They add the value, the rule and the remedy to
 * a refusal. The exceptions keep the types that an application may already catch.
 *
 * @param persister the entity's persister
 * @param id the whole id
 * @param name what is set: "the id", or the path of its part
 * @param value the value that is set
 */
record PresetIds(EntityPersister persister, Object id, String name, Object value) {

    /**
     * Wraps Hibernate's listeners. Does nothing for an event that has other listeners: Hibernate Reactive casts
     * listeners to types of its own.
     */
    static void explainIn(SessionFactoryImplementor factory) {
        EventListenerRegistry registry = factory.getServiceRegistry().requireService(EventListenerRegistry.class);
        wrap(registry, EventType.PERSIST, Persisting::new);
        wrap(registry, EventType.PERSIST_ONFLUSH, Persisting::new);
        wrap(registry, EventType.MERGE, Merging::new);
    }

    // the array of the one listener; without listeners(), there is no way to wrap them
    @SuppressWarnings({"unchecked", "deprecation"})
    private static <T> void wrap(EventListenerRegistry registry, EventType<T> type, Function<List<T>, T> wrapper) {
        List<T> listeners = new ArrayList<>();
        registry.getEventListenerGroup(type).listeners().forEach(listeners::add);
        if (listeners.stream()
                .allMatch(each -> each.getClass().getPackageName().equals("org.hibernate.event.internal"))) {
            registry.setListeners(type, wrapper.apply(listeners));
        }
    }

    /**
     * Returns the id of an entity, if it is set.
     *
     * @param part the generated part of a composite id; another name stands for all its parts
     */
    static Optional<PresetIds> of(EntityPersister persister, @Nullable Object id, String part) {
        if (id == null) {
            return Optional.empty();
        }
        String name = "the id";
        Object value = id;
        boolean isSet = IdType.isSet(id);
        if (persister.getIdentifierType() instanceof CompositeType type) {
            Object[] values = type.getPropertyValues(id);
            int index = List.of(type.getPropertyNames()).indexOf(part);
            isSet = index < 0 ? Arrays.stream(values).anyMatch(IdType::isSet) : IdType.isSet(values[index]);
            if (index >= 0) {
                String embedded = persister.getIdentifierPropertyName();
                name = embedded == null ? part : embedded + "." + part;
                value = values[index];
            }
        }
        return isSet ? Optional.of(new PresetIds(persister, id, name, value)) : Optional.empty();
    }

    /** Calls Hibernate's listeners, and explains why they refuse an entity if its id is the reason. */
    private static void explained(
            Runnable call,
            EventSource session,
            @Nullable String entityName,
            Object entity,
            BiFunction<PresetIds, RuntimeException, RuntimeException> refusal) {
        try {
            call.run();
        } catch (Refusal e) {
            throw refusal.apply(e.preset, e);
        } catch (PersistentObjectException | PropertyValueException | StaleObjectStateException e) {
            if (entity instanceof HibernateProxy
                    || session.getPersistenceContextInternal().getEntry(entity) != null) {
                throw e; // the entity is not new to the session
            }
            EntityPersister persister = session.getEntityPersister(entityName, entity);
            if (persister.getGenerator() instanceof SnowflakeIdGenerator generator
                    && !generator.allowAssignedIdentifiers()) {
                throw of(persister, persister.getIdentifier(entity, session), "")
                        .filter(preset -> preset.isReasonOf(e, entity))
                        .map(preset -> refusal.apply(preset, e))
                        .orElse(e);
            }
            throw e;
        }
    }

    private boolean isReasonOf(RuntimeException e, Object entity) {
        if (e instanceof StaleObjectStateException stale) { // no row; a row with another version does not count
            return !persister.isVersioned()
                    && persister.getEntityName().equals(stale.getEntityName())
                    && id.equals(stale.getIdentifier());
        }
        return e instanceof PersistentObjectException
                || (persister.isVersioned() && persister.getVersion(entity) == null);
    }

    /**
     * Returns the problem and the remedy.
     *
     * @param wayOut the remedy; %s stands for the name of what is set
     */
    private String rule(String wayOut) {
        return persister.getEntityName() + " has " + name + " " + value
                + " before its insert, but idgen generates the ids; " + wayOut.formatted(name)
                + ", or keep such ids with @SnowflakeId(preset = " + Preset.KEEP + ")";
    }

    private RuntimeException refusesPersist(RuntimeException cause) {
        String rule = rule(
                "if an attempt to insert it was rolled back, persist a new instance, or set %1$s of it and of its children"
                        + " to null (0 if primitive) before the next attempt; otherwise leave %1$s unset, call merge() if"
                        + " its row exists");
        IdGenerationException refusal = new IdGenerationException(ErrorCode.PRESET_ID, rule, cause);
        return new EntityExistsException(refusal.getMessage(), refusal);
    }

    private RuntimeException refusesMerge(RuntimeException cause) {
        String rule = rule(
                cause instanceof PropertyValueException
                        ? "leave %s unset, set the version too if its row exists"
                        : "its row does not exist: if it was deleted, do not merge it; otherwise leave %s unset");
        IdGenerationException refusal = new IdGenerationException(ErrorCode.PRESET_ID, rule, cause);
        return new OptimisticLockException(refusal.getMessage(), refusal);
    }

    /** A refusal by the generator. Only a stateless session throws it; the listeners replace it. */
    static final class Refusal extends IdGenerationException {
        private static final long serialVersionUID = 1L;

        private final transient PresetIds preset;

        Refusal(PresetIds preset) {
            super(ErrorCode.PRESET_ID, preset.rule("leave %s unset"));
            this.preset = preset;
        }
    }

    private record Persisting(List<PersistEventListener> listeners) implements PersistEventListener {
        @Override
        public void onPersist(PersistEvent event) {
            persist(event, listener -> listener.onPersist(event));
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext created) {
            persist(event, listener -> listener.onPersist(event, created));
        }

        private void persist(PersistEvent event, Consumer<PersistEventListener> call) {
            explained(
                    () -> listeners.forEach(call),
                    event.getSession(),
                    event.getEntityName(),
                    event.getObject(),
                    PresetIds::refusesPersist);
        }
    }

    private record Merging(List<MergeEventListener> listeners) implements MergeEventListener {
        @Override
        public void onMerge(MergeEvent event) {
            merge(event, listener -> listener.onMerge(event));
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            merge(event, listener -> listener.onMerge(event, copied));
        }

        private void merge(MergeEvent event, Consumer<MergeEventListener> call) {
            explained(
                    () -> listeners.forEach(call),
                    event.getSession(),
                    event.getEntityName(),
                    event.getOriginal(),
                    PresetIds::refusesMerge);
        }
    }
}
