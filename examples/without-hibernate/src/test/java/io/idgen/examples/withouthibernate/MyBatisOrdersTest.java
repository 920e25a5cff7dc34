package io.idgen.examples.withouthibernate;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import javax.sql.DataSource;

class MyBatisOrdersTest extends OrdersContract {
    @Override
    Open open(Database database, DataSource counting) {
        IdSources sources = PlainSources.over(database);
        return new Open(new MyBatisOrders(counting, sources), sources);
    }
}
