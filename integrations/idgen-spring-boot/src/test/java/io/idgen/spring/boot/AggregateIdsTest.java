package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.library.Customer;
import io.idgen.spring.boot.library.Customers;
import io.idgen.spring.boot.library.Library;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag("matrix")
class AggregateIdsTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private final JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());

    @BeforeEach
    void tableWithARow() {
        jdbc.execute("CREATE TABLE \"CUSTOMER\" (\"ID\" bigint PRIMARY KEY, \"NAME\" varchar(100))");
        jdbc.execute("INSERT INTO \"CUSTOMER\" VALUES (7, 'Dorothea')");
    }

    @Test
    void aNewAggregateGetsAnIdAboveTheRowsOfItsTableAndAnOldOneKeepsItsId() {
        try (ConfigurableApplicationContext library = Application.start(Library.class, h2, "idgen.strategy=segment")) {
            Customers customers = library.getBean(Customers.class);

            assertThat(customers.save(new Customer(null, "Edward")).id()).isEqualTo(8);
            customers.save(new Customer(7L, "Dorothea Ladislaw"));
            assertThat(jdbc.queryForList("SELECT \"NAME\" FROM \"CUSTOMER\" ORDER BY \"ID\"", String.class))
                    .containsExactly("Dorothea Ladislaw", "Edward");
        }
    }

    @Test
    void aSettingThatNamesAnAggregateIsRefusedWithItsTable() {
        assertThatThrownBy(() -> Application.start(Library.class, h2, "idgen.sources.Customer.limit=2147483648"))
                .hasMessageContaining("Customer is an entity; write its table: idgen.sources.customer.…");
    }
}
