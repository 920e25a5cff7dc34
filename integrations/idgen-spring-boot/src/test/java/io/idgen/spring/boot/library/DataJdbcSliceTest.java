package io.idgen.spring.boot.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

/** Segments and leases in {@code @DataJdbcTest}, whose embedded database replaces that of the application. */
@TestPropertySource(
        properties = {
            "spring.datasource.url=jdbc:postgresql://localhost:1/none",
            "spring.sql.init.schema-locations=classpath:db/customers.sql",
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "idgen.worker.namespace=slices", // Spring keeps this context and its lease beside other tests
            "idgen.sources.customer.strategy=segment",
            "idgen.sources.parcels.strategy=snowflake"
        })
@DataJdbcTest
class DataJdbcSliceTest {
    @Autowired
    private Customers customers;

    @Autowired
    private IdSources sources;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void anAggregateGetsAnIdOfASegmentAndAWorkerIdIsLeased() {
        assertThat(customers.save(new Customer(null, "Dorothea")).id()).isEqualTo(8);
        assertThat(sources.get("parcels").nextId()).isPositive();

        assertThat(jdbc.queryForObject("SELECT next_id FROM idgen_counter WHERE name = 'customer'", Long.class))
                .isGreaterThan(8);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL", Long.class))
                .isOne();
    }
}
