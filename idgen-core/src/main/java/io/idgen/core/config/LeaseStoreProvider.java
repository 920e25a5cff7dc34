package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.lease.LeaseStore;
import java.util.List;

/**
 * Opens a {@link LeaseStore} from settings, for the strategy {@code snowflake}. {@code idgen.worker.assigner} chooses
 * it by its name. Found as a service ({@code META-INF/services/io.idgen.core.config.LeaseStoreProvider}, or {@code
 * provides} in a module). Implementations have no state.
 *
 * <p>An application that has its store as an object needs none of these: it hands the store in, by {@code
 * IdSources.builder().resource(LeaseStore.class, store)}.
 */
public interface LeaseStoreProvider {

    /**
     * The name in {@code idgen.worker.assigner}.
     *
     * @return lower case letters and hyphens
     */
    String name();

    /**
     * The settings that it reads.
     *
     * @return settings, for documentation and to refuse unknown ones; none if not overridden
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * Whether the application has what this one needs, so that it is the default where no other is named.
     *
     * @param context of the source
     * @return true if {@link #open} may succeed
     */
    boolean isAvailable(SourceContext context);

    /**
     * Refuses settings that cannot be right, and names what is missing. Called at start, for each source that will
     * lease from the store; does no I/O and changes nothing.
     *
     * @param context of the source
     * @throws ConfigurationException if the store cannot be opened
     */
    default void check(SourceContext context) {
        if (!isAvailable(context)) {
            open(context); // throws what is missing
        }
    }

    /**
     * The tables that the store looks for in the application's own database, for a framework that makes the schema.
     *
     * @param context of the source, whose settings are {@linkplain #check checked}
     * @return none if not overridden
     */
    default List<SourceTable> tables(SourceContext context) {
        return List.of();
    }

    /**
     * Makes the store. Does no I/O.
     *
     * @param context of the source
     * @return a store; what it holds open is shared through the context
     * @throws ConfigurationException if the settings cannot be right, or what it needs is missing
     */
    LeaseStore open(SourceContext context);
}
