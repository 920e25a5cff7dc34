package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.library.Customer;
import io.idgen.spring.boot.library.Customers;
import io.idgen.spring.boot.library.Library;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import io.idgen.spring.boot.warehouse.Item;
import io.idgen.spring.boot.warehouse.Items;
import io.idgen.spring.boot.warehouse.Warehouse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each start of an application compares its next ids with the largest keys, whichever framework inserts the rows. */
class StartLookTest {
    private static final long OF_TWITTER =
            SnowflakeLayout.TWITTER.firstIdAt(Instant.now().minus(2, ChronoUnit.HOURS));

    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private final JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());

    enum Framework {
        JPA(Shop.class, "book", "id", application -> {
            Book book = application.getBean(Books.class).save(new Book("Emma"));
            return Objects.requireNonNull(book.id());
        }),
        SPRING_DATA_JDBC(Library.class, "customer", "id", application -> {
            Customer customer = application.getBean(Customers.class).save(new Customer(null, "Edward"));
            return Objects.requireNonNull(customer.id());
        }),
        MYBATIS_PLUS(Warehouse.class, "stock", "item_id", application -> {
            Item item = new Item("lamp");
            application.getBean(Items.class).insert(item);
            return item.id;
        });

        final Class<?> application;
        final String table;
        final String column;
        final ToLongFunction<ConfigurableApplicationContext> insert;

        Framework(
                Class<?> application,
                String table,
                String column,
                ToLongFunction<ConfigurableApplicationContext> insert) {
            this.application = application;
            this.table = table;
            this.column = column;
            this.insert = insert;
        }
    }

    /** Starts an application, which inserts a row, and returns its id. */
    private long inserted(Framework framework, String... settings) {
        String[] withMybatis = framework == Framework.MYBATIS_PLUS ? MybatisPlusIdsTest.WITH_MYBATIS : new String[0];
        try (ConfigurableApplicationContext application =
                Application.start(framework.application, h2, Application.with(settings, withMybatis))) {
            return framework.insert.applyAsLong(application);
        }
    }

    private void imports(Framework framework, long id) {
        jdbc.update("INSERT INTO " + framework.table + " (" + framework.column + ") VALUES (" + id + ")");
    }

    private void create(Framework framework) {
        jdbc.execute("CREATE TABLE " + framework.table + " (" + framework.column + " bigint PRIMARY KEY, "
                + (framework == Framework.JPA ? "title" : "name") + " varchar(255))");
    }

    @ParameterizedTest
    @EnumSource
    void aCounterGoesOnAboveImportedRows(Framework framework) {
        create(framework);
        assertThat(inserted(framework, "idgen.strategy=segment")).isOne();
        imports(framework, 48_211);

        assertThat(inserted(framework, "idgen.strategy=segment")).isEqualTo(48_212);
    }

    @ParameterizedTest
    @EnumSource
    void idsOfAnotherGeneratorAreRefused(Framework framework) {
        create(framework);
        assertThat(inserted(framework)).isPositive();
        imports(framework, OF_TWITTER);

        assertThatThrownBy(() -> inserted(framework))
                .hasStackTraceContaining("IDGEN-206")
                .hasStackTraceContaining("idgen.snowflake.layout=twitter");
    }
}
