package io.idgen.hibernate;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.hibernate.internal.IdgenService;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Gives an application the ids of {@link SnowflakeId} before {@code persist}. An entity that receives its id in its
 * constructor has an {@code equals} and a {@code hashCode} that never change.
 *
 * <pre>{@code
 * IdSource ids = EntityIds.of(entityManagerFactory, "book");
 * Book book = new Book(ids.nextId(), "Middlemarch");
 * }</pre>
 *
 * <p>Annotate the attribute with {@code @SnowflakeId(preset = KEEP)}; otherwise {@code persist} assumes that the row
 * exists. Ids from here and ids from {@code persist} come from one source, so no two are equal.
 */
public final class EntityIds {
    private EntityIds() {}

    /**
     * Returns the source of an entity's ids. The first id opens it if it is not open, and may block as at {@code
     * persist}.
     *
     * @param factory the entity's factory; a {@code SessionFactory} also works
     * @param source the name of the source: that of the entity's table, or the one in the annotation, as {@link
     *     SnowflakeId#source} describes it
     * @return the source. The factory closes it; {@code close()} has no effect
     * @throws io.idgen.core.ConfigurationException if no attribute has a source of this name
     */
    public static IdSource of(EntityManagerFactory factory, String source) {
        return sources(factory).lend(source);
    }

    /**
     * Returns all sources of a factory, for meters and health checks. Opens none.
     *
     * @param factory the factory of the entities; a {@code SessionFactory} also works
     * @return the sources. The factory closes them; do not close them yourself
     */
    public static IdSources sources(EntityManagerFactory factory) {
        return IdgenService.of(factory.unwrap(SessionFactoryImplementor.class)).sources();
    }
}
