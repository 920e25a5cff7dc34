package io.idgen.hibernate;

import io.idgen.core.IdSource;
import io.idgen.hibernate.internal.IdgenService;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * The ids that {@link SnowflakeId} gives, for who wants them before {@code persist}: an entity that is given its id when it is
 * made has an {@code equals} and a {@code hashCode} that never change.
 *
 * <pre>{@code
 * IdSource ids = EntityIds.of(entityManagerFactory, "Book");
 * Book book = new Book(ids.nextId(), "Middlemarch");
 * }</pre>
 *
 * <p>Its attribute is then an {@code @SnowflakeId(preset = KEEP)}, or {@code persist} takes it for a row that is there. Both
 * come from one source: whether an id is drawn here or at {@code persist}, no two are equal.
 */
public final class EntityIds {
    private EntityIds() {}

    /**
     * The source of an entity's ids. Opens it if it is not open; an id may be waited for as at {@code persist}.
     *
     * @param factory the entity's, also as a {@code SessionFactory}
     * @param source the source's name: that of the entity (of the root in a hierarchy), or what the annotation says
     * @return the source; the factory closes it, and closing it otherwise does nothing
     * @throws io.idgen.core.ConfigurationException if no attribute has a source of this name
     */
    public static IdSource of(EntityManagerFactory factory, String source) {
        return factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(IdgenService.class)
                .lend(source);
    }
}
