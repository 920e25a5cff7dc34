package io.idgen.examples.withouthibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.examples.withouthibernate.NewOrder.NewLine;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Tests each variant of the example, on H2 and on PostgreSQL. */
abstract class OrdersContract {
    private static final NewOrder ORDER = new NewOrder(
            "Dorothea", List.of(new NewLine("Middlemarch", 1), new NewLine("Emma", 2), new NewLine("Persuasion", 3)));

    private final WrittenRows written = new WrittenRows();
    private Database database;
    private Open open;

    /** The variant under test, and the resource to close after it. */
    record Open(Orders orders, AutoCloseable closed) {}

    /** Opens the variant under test over a database that has the tables. */
    abstract Open open(Database database, DataSource counting);

    private Orders on(TestDatabase kind) {
        database = kind.create();
        new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).execute(database.dataSource());
        open = open(database, written.counting(database.dataSource()));
        return open.orders();
    }

    @AfterEach
    void close() throws Exception {
        open.closed().close();
        database.close();
    }

    private List<Long> ids(String table) {
        return new JdbcTemplate(database.dataSource()).queryForList("SELECT id FROM " + table, Long.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void anOrderAndItsLinesHaveIdsOfIdgen(TestDatabase kind) {
        long id = on(kind).place(ORDER);

        assertThat(ids("customer_order")).containsExactly(id);
        assertThat(ids("order_line")).hasSize(3).doesNotHaveDuplicates().allSatisfy(line -> {
            assertThat(SnowflakeLayout.IDGEN.parse(line).time())
                    .isBetween(
                            Instant.now().minus(Duration.ofDays(1)),
                            Instant.now().plus(Duration.ofDays(1)));
        });
        assertThat(new JdbcTemplate(database.dataSource())
                        .queryForObject("SELECT count(*) FROM order_line WHERE customer_order = " + id, Integer.class))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theLinesAreOneBatchOnTheConnectionOfTheOrder(TestDatabase kind) {
        on(kind).place(ORDER);

        assertThat(written.rows()).isEqualTo(4);
        assertThat(written.executions()).isEqualTo(2);
        assertThat(written.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aLineThatFailsTakesTheOrderWithIt(TestDatabase kind) {
        Orders orders = on(kind);
        NewOrder wrong = new NewOrder("Edward", List.of(new NewLine("Emma", 1), new NewLine("Emma", 0)));

        assertThatThrownBy(() -> orders.place(wrong)).isInstanceOf(RuntimeException.class);
        assertThat(ids("customer_order")).isEmpty();
        assertThat(ids("order_line")).isEmpty();

        orders.place(ORDER);
        assertThat(ids("customer_order")).hasSize(1);
    }
}
