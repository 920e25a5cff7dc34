package io.idgen.examples.withouthibernate;

import io.idgen.examples.withouthibernate.springdata.SpringDataOrders;
import io.idgen.examples.withouthibernate.springdata.SpringDataShop;
import io.idgen.jdbc.testing.Database;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;

class SpringDataOrdersTest extends OrdersContract {
    @Override
    Open open(Database database, DataSource counting) {
        ConfigurableApplicationContext shop = Shops.start(SpringDataShop.class, database, counting);
        return new Open(shop.getBean(SpringDataOrders.class), shop);
    }
}
