package io.idgen.examples.withouthibernate;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

class JooqOrdersTest extends OrdersContract {
    @Override
    Open open(Database database, DataSource counting) {
        IdSources sources = PlainSources.over(database);
        SQLDialect dialect = database.kind() == TestDatabase.H2 ? SQLDialect.H2 : SQLDialect.POSTGRES;
        return new Open(new JooqOrders(DSL.using(counting, dialect), sources), sources);
    }
}
