package io.idgen.examples.withouthibernate;

import io.idgen.examples.withouthibernate.mybatisplus.MybatisPlusOrders;
import io.idgen.examples.withouthibernate.mybatisplus.MybatisPlusShop;
import io.idgen.jdbc.testing.Database;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;

class MybatisPlusOrdersTest extends OrdersContract {
    @Override
    Open open(Database database, DataSource counting) {
        ConfigurableApplicationContext shop = Shops.start(MybatisPlusShop.class, database, counting);
        return new Open(shop.getBean(MybatisPlusOrders.class), shop);
    }
}
