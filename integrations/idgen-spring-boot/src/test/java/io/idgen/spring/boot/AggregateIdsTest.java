package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

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
    void aNewAggregateGetsAnIdAndIsInserted() {
        try (ConfigurableApplicationContext library = Application.start(Library.class, h2)) {
            Customers customers = library.getBean(Customers.class);
            Customer saved = customers.save(new Customer(null, "Edward"));

            assertThat(saved.id()).isGreaterThan(7);
            assertThat(customers.findById(saved.id())).contains(saved);
        }
    }

    @Test
    void idsOfATableBeginAboveItsRows() {
        try (ConfigurableApplicationContext library = Application.start(Library.class, h2, "idgen.strategy=segment")) {
            assertThat(library.getBean(Customers.class)
                            .save(new Customer(null, "Edward"))
                            .id())
                    .isEqualTo(8);
        }
    }

    @Test
    void anAggregateWithAnIdKeepsIt() {
        try (ConfigurableApplicationContext library = Application.start(Library.class, h2)) {
            library.getBean(Customers.class).save(new Customer(7L, "Dorothea Ladislaw"));

            assertThat(jdbc.queryForObject("SELECT \"NAME\" FROM \"CUSTOMER\" WHERE \"ID\" = 7", String.class))
                    .isEqualTo("Dorothea Ladislaw");
        }
    }
}
