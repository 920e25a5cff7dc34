package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.lease.LeaseStore;
import java.util.List;

/**
 * Brings a {@link LeaseStore} to the strategy {@code snowflake}, as {@code idgen.worker.assigner} names it. Found as a service
 * ({@code META-INF/services/io.idgen.core.config.WorkerIdAssigner}). Implementations have no state.
 */
public interface WorkerIdAssigner {

    /**
     * As {@code idgen.worker.assigner} calls it.
     *
     * @return lower case letters and hyphens
     */
    String name();

    /**
     * The settings that it reads.
     *
     * @return settings, for documentation and to refuse unknown ones
     */
    List<Setting<?>> settings();

    /**
     * Whether the application has what this one needs, so that it is the default where no other is named.
     *
     * @param context of the source
     * @return true if {@link #open} may succeed
     */
    boolean isAvailable(SourceContext context);

    /**
     * Refuses settings that cannot be right, and says what is missing. Called at start, for each source that will lease from
     * the store; does no I/O and changes nothing.
     *
     * @param context of the source
     * @throws ConfigurationException if the store cannot be opened
     */
    default void check(SourceContext context) {
        if (!isAvailable(context)) {
            open(context); // says what is missing
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
