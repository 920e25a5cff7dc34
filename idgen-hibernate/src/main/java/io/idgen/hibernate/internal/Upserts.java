package io.idgen.hibernate.internal;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Sets the annotated attributes of an entity that {@code StatelessSession.upsert} writes, other than its id. Hibernate
 * calls no generator there, and would write NULL over the stored value. An attribute that is not set receives the
 * stored value, which takes one query, or a new one if there is no row.
 */
final class Upserts implements PreUpsertEventListener {
    private static final long serialVersionUID = 1L;

    /** An attribute that is generated, or has generated parts; the mapping itself is forgotten after the boot. */
    private record Part(String path, @Nullable Values values, List<@Nullable Part> parts) {}

    /** By entity, and by the index of the attribute. */
    private final transient Map<String, Map<Integer, Part>> attributes = new HashMap<>();

    private final boolean isReactive;

    private Upserts(boolean isReactive) {
        this.isReactive = isReactive;
    }

    /** Adds the listener, if a unit has such attributes. */
    static void addTo(SessionFactoryImplementor factory, Metadata metadata, IdgenService service) {
        Upserts upserts = new Upserts(ReactiveMapping.isReactive(factory.getServiceRegistry()));
        for (PersistentClass entity : metadata.getEntityBindings()) {
            List<String> names = List.of(factory.getMappingMetamodel()
                    .getEntityDescriptor(entity.getEntityName())
                    .getPropertyNames());
            for (Property property : entity.getPropertyClosure()) {
                Part part = part(property, property.getName(), service.generated());
                if (part != null && names.contains(property.getName())) {
                    upserts.attributes
                            .computeIfAbsent(entity.getEntityName(), name -> new HashMap<>())
                            .put(names.indexOf(property.getName()), part);
                }
            }
        }
        if (!upserts.attributes.isEmpty()) {
            factory.getServiceRegistry()
                    .requireService(EventListenerRegistry.class)
                    .appendListeners(EventType.PRE_UPSERT, upserts);
        }
    }

    private static @Nullable Part part(Property property, String path, Map<Property, Values> generated) {
        Values values = generated.get(property);
        List<@Nullable Part> parts = new ArrayList<>();
        if (property.getValue() instanceof Component component) {
            component.getProperties().forEach(inner -> parts.add(part(inner, path + "." + inner.getName(), generated)));
        }
        boolean isGenerated = values != null || parts.stream().anyMatch(Objects::nonNull);
        return isGenerated ? new Part(path, values, parts) : null;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        EntityPersister persister = event.getPersister();
        attributes.getOrDefault(persister.getEntityName(), Map.of()).forEach((index, part) -> {
            Object value = event.getState()[index];
            Object complete = complete(event, part, persister.getPropertyTypes()[index], value);
            if (complete != value) {
                event.getState()[index] = complete;
                persister.setValue(event.getEntity(), index, complete);
            }
        });
        return false;
    }

    /** Returns a value whose generated parts are set. */
    private @Nullable Object complete(PreUpsertEvent event, @Nullable Part part, Type type, @Nullable Object value) {
        if (part == null) {
            return value;
        }
        if (part.values != null) {
            if (IdType.isSet(value)) {
                return value;
            }
            Object kept = stored(event, part.path);
            return kept == null ? part.values.next() : kept;
        }
        if (value == null) {
            throw unset(event, part.path, "create the embeddable");
        }
        CompositeType composite = (CompositeType) type;
        Object[] complete = composite.getPropertyValues(value);
        boolean isSame = true;
        for (int i = 0; i < complete.length; i++) {
            Object old = complete[i];
            complete[i] = complete(event, part.parts.get(i), composite.getSubtypes()[i], old);
            isSame &= complete[i] == old;
        }
        return isSame ? value : composite.replacePropertyValues(value, complete, session(event));
    }

    /** Returns the stored value of an attribute; null if there is no row. */
    private @Nullable Object stored(PreUpsertEvent event, String path) {
        SharedSessionContractImplementor session = session(event);
        if (session == null || isReactive) {
            throw unset(
                    event,
                    path,
                    "with Hibernate before 7 and Hibernate Reactive, set it, such as to an id of EntityIds");
        }
        List<Object> rows = session.createSelectionQuery(
                        "select e." + path + " from " + event.getPersister().getEntityName() + " e where id(e) = :id",
                        Object.class)
                .setParameter("id", event.getId())
                .getResultList();
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** Returns the session. Hibernate 6.6 passes none, and the method has another return type there. */
    private static @Nullable SharedSessionContractImplementor session(PreUpsertEvent event) {
        try {
            return event.getSession();
        } catch (NoSuchMethodError e) {
            return null;
        }
    }

    private static IdGenerationException unset(PreUpsertEvent event, String path, String wayOut) {
        return new IdGenerationException(
                ErrorCode.HIBERNATE_TOO_OLD,
                event.getPersister().getEntityName() + "." + path
                        + " is not set, and Hibernate generates no value in upsert(), so a stored one would become NULL; "
                        + wayOut + ", or use insert() and update()");
    }
}
