package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.lease.LeaseStore;
import java.util.List;
import java.util.OptionalLong;

/**
 * Opens a {@link LeaseStore} from settings, for the strategy {@code snowflake}. {@code idgen.worker.assigner} chooses
 * it by its name. Found as a service ({@code META-INF/services/io.idgen.core.config.LeaseStoreProvider}, or {@code
 * provides} in a module), if {@code idgen.worker.assigner} names it, or one of its settings or resources is given.
 * Implementations have no state.
 *
 * <p>An application that has its store as an object needs no provider: it passes the store to {@code
 * IdSources.builder().resource(LeaseStore.class, store)}.
 */
public interface LeaseStoreProvider {

    /**
     * {@code idgen.worker.owner}: the name of the application, which the store shows with the lease. It is for people
     * who read the store; no condition depends on it.
     */
    Setting<String> OWNER = Setting.of(
            "worker.owner",
            "The name of the application, which the lease table shows before the process id and the host (owner_info).",
            text -> {
                if (text.isBlank()) {
                    throw new IllegalArgumentException("the name of the application is expected, got '" + text + "'");
                }
                return text.strip();
            });

    /**
     * Returns the name that {@code idgen.worker.assigner} selects it by.
     *
     * @return lower case letters and hyphens
     */
    String name();

    /**
     * Returns the settings that it reads. idgen refuses all others.
     *
     * @return none if not overridden
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * Returns the types of the objects that it looks up by {@link SourceContext#resource}. idgen refuses all others.
     *
     * @return none if not overridden
     */
    default List<Class<?>> resources() {
        return List.of();
    }

    /**
     * Returns whether the application has what this provider needs. Then it is the default if no other is named.
     *
     * @param context of the source
     * @return true if {@link #open} may succeed
     */
    boolean isAvailable(SourceContext context);

    /**
     * Checks the settings. Called at start, for each source that will lease from the store. Does no I/O and changes
     * nothing.
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
     * Returns the tables that the store needs in the application's own database, for a framework that creates the
     * schema.
     *
     * @param context of the source; the application may have no database yet
     * @return none if not overridden
     */
    default List<SourceTable> tables(SourceContext context) {
        return List.of();
    }

    /**
     * Reads the largest value of a column, for {@code idgen.snowflake.start-above}.
     *
     * @param context of the source
     * @param column as {@code table.column}
     * @return the largest value, or 0 if there is none; empty if the store has no columns
     * @throws io.idgen.core.IdGenerationException if the column cannot be read
     */
    default OptionalLong largestValue(SourceContext context, String column) {
        return OptionalLong.empty();
    }

    /**
     * Creates the store. Does no I/O.
     *
     * @param context of the source
     * @return a store; it shares what it keeps open through the context
     * @throws ConfigurationException if a setting is invalid, or something that it needs is missing
     */
    LeaseStore open(SourceContext context);

    /**
     * Compares the largest ids in the tables of a source with its layout, if it can read these tables, and if no store
     * that it has opened does so before it grants a lease. Called when the source opens. Blocks for one statement; does
     * nothing if not overridden.
     *
     * @param context of the source
     * @throws ConfigurationException {@link io.idgen.core.ErrorCode#EXISTING_IDS_AHEAD} if another generator or layout
     *     made them
     */
    default void checkKeys(SourceContext context) {}
}
