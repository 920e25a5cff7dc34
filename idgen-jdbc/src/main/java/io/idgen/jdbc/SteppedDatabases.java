package io.idgen.jdbc;

import java.util.List;
import javax.sql.DataSource;

/**
 * The databases of the strategy {@code stepped}, to be handed to {@link io.idgen.core.config.IdSources.Builder#resource}.
 *
 * @param dataSources one for each instance, the first of which is instance 1; always in the same order
 */
public record SteppedDatabases(List<DataSource> dataSources) {

    /** Keeps a copy. */
    public SteppedDatabases {
        dataSources = List.copyOf(dataSources);
    }
}
