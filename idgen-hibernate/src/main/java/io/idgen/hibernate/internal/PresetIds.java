package io.idgen.hibernate.internal;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.hibernate.SnowflakeId.Preset;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    @SuppressWarnings("unchecked") // the array of the one listener
    private static <T> void wrap(EventListenerRegistry registry, EventType<T> type, Function<List<T>, T> wrapper) {
        List<T> listeners = listeners(registry, type);
        if (listeners.stream().allMatch(PresetIds::isOfHibernate)) {
            registry.setListeners(type, wrapper.apply(listeners));
        }
    }

    private static boolean isOfHibernate(Object listener) {
        return listener.getClass().getPackageName().equals("org.hibernate.event.internal");
    }

    @SuppressWarnings("deprecation") // listeners(): there is no other way to wrap them
    private static <T> List<T> listeners(EventListenerRegistry registry, EventType<T> type) {
        List<T> listeners = new ArrayList<>();
        registry.getEventListenerGroup(type).listeners().forEach(listeners::add);
        return listeners;
    }

    /** Returns the id of an entity that is new to the session, if it is set and the mapping refuses such ids. */
    private static Optional<PresetIds> of(EventSource session, @Nullable String entityName, @Nullable Object entity) {
        if (entity == null
                || entity instanceof HibernateProxy
                || session.getPersistenceContextInternal().getEntry(entity) != null) {
            return Optional.empty();
        }
        EntityPersister persister = session.getEntityPersister(entityName, entity);
        return persister.getGenerator() instanceof SnowflakeIdGenerator generator
                        && !generator.allowAssignedIdentifiers()
                ? of(persister, persister.getIdentifier(entity, session), "")
                : Optional.empty();
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
        if (!(persister.getIdentifierType() instanceof CompositeType type)) {
            return IdType.isSet(id) ? Optional.of(new PresetIds(persister, id, "the id", id)) : Optional.empty();
        }
        Object[] values = type.getPropertyValues(id);
        int index = List.of(type.getPropertyNames()).indexOf(part);
        if (index < 0) {
            return Arrays.stream(values).anyMatch(IdType::isSet)
                    ? Optional.of(new PresetIds(persister, id, "the id", id))
                    : Optional.empty();
        }
        String embedded = persister.getIdentifierPropertyName();
        return IdType.isSet(values[index])
                ? Optional.of(
                        new PresetIds(persister, id, embedded == null ? part : embedded + "." + part, values[index]))
                : Optional.empty();
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

    private IdGenerationException refusal(String wayOut, Throwable cause) {
        return new IdGenerationException(ErrorCode.PRESET_ID, rule(wayOut), cause);
    }

    private EntityExistsException refusesPersist(RuntimeException cause) {
        IdGenerationException refusal = refusal(
                "if an attempt to insert it was rolled back, persist a new instance, or set %1$s of it and of its children"
                        + " to null (0 if primitive) before the next attempt; otherwise leave %1$s unset, call merge() if"
                        + " its row exists",
                cause);
        return new EntityExistsException(refusal.getMessage(), refusal);
    }

    private NoSuchRow refusesMerge(RuntimeException cause) {
        return new NoSuchRow(
                this,
                refusal("its row does not exist: if it was deleted, do not merge it; otherwise leave %s unset", cause));
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

    /** Returns whether a merge has found no row; a row with another version does not count. */
    private boolean isWithoutRow(StaleObjectStateException stale) {
        return !persister.isVersioned()
                && persister.getEntityName().equals(stale.getEntityName())
                && id.equals(stale.getIdentifier());
    }

    private record Persisting(List<PersistEventListener> listeners) implements PersistEventListener {
        @Override
        public void onPersist(PersistEvent event) {
            explained(event, listener -> listener.onPersist(event));
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext created) {
            explained(event, listener -> listener.onPersist(event, created));
        }

        private void explained(PersistEvent event, Consumer<PersistEventListener> call) {
            try {
                listeners.forEach(call);
            } catch (Refusal e) {
                throw e.preset.refusesPersist(e);
            } catch (PersistentObjectException | PropertyValueException e) {
                throw of(event.getSession(), event.getEntityName(), event.getObject())
                        .<RuntimeException>map(preset -> preset.refusesPersist(e))
                        .orElse(e);
            }
        }
    }

    private record Merging(List<MergeEventListener> listeners) implements MergeEventListener {
        @Override
        public void onMerge(MergeEvent event) {
            explained(event, listener -> listener.onMerge(event));
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            explained(event, listener -> listener.onMerge(event, copied));
        }

        private void explained(MergeEvent event, Consumer<MergeEventListener> call) {
            try {
                listeners.forEach(call);
            } catch (Refusal e) {
                throw e.preset.refusesMerge(e);
            } catch (StaleObjectStateException e) {
                throw preset(event)
                        .filter(preset -> preset.isWithoutRow(e))
                        .<RuntimeException>map(preset -> preset.refusesMerge(e))
                        .orElse(e);
            } catch (PropertyValueException e) {
                throw preset(event)
                        .filter(preset -> preset.persister.isVersioned()
                                && preset.persister.getVersion(event.getOriginal()) == null)
                        .map(preset -> preset.refusal("leave %s unset, set the version too if its row exists", e))
                        .<RuntimeException>map(refusal -> new PersistenceException(refusal.getMessage(), refusal))
                        .orElse(e);
            }
        }

        private static Optional<PresetIds> preset(MergeEvent event) {
            return of(event.getSession(), event.getEntityName(), event.getOriginal());
        }
    }

    /** Hibernate's exception for a missing row, with idgen's message. */
    private static final class NoSuchRow extends StaleObjectStateException {
        private static final long serialVersionUID = 1L;

        private final IdGenerationException refusal;

        NoSuchRow(PresetIds preset, IdGenerationException refusal) {
            super(preset.persister.getEntityName(), preset.id);
            this.refusal = refusal;
            initCause(refusal);
        }

        @Override
        public String getMessage() {
            return String.valueOf(refusal.getMessage());
        }
    }
}
