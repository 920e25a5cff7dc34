package io.idgen.examples.withouthibernate;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import javax.sql.DataSource;

/** Creates the sources of the variants without an application context. */
final class PlainSources {
    private PlainSources() {}

    static IdSources over(Database database) {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .source("customer_order")
                .source("order_line")
                .build();
    }
}
