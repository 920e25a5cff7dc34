package io.idgen.jdbc;

import java.util.List;
import javax.sql.DataSource;

/**
 * The databases of the strategy {@code stepped}, for {@link io.idgen.core.config.IdSources.Builder#resource}.
 *
 * @param dataSources one for each instance, beginning with instance 1; keep the order forever
 */
public record SteppedDatabases(List<DataSource> dataSources) {

    /** Copies the list. */
    public SteppedDatabases {
        dataSources = List.copyOf(dataSources);
    }
}
