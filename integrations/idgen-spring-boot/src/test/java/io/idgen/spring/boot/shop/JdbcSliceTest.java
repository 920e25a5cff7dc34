package io.idgen.spring.boot.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

/** Segments and leases in {@code @JdbcTest}, whose embedded database replaces that of the application. */
@TestPropertySource(
        properties = {
            "spring.datasource.url=jdbc:postgresql://localhost:1/none",
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "idgen.worker.namespace=slices", // Spring keeps this context and its lease beside other tests
            "idgen.sources.letters.strategy=segment",
            "idgen.sources.letters.start=7",
            "idgen.sources.parcels.strategy=snowflake"
        })
@JdbcTest
class JdbcSliceTest {
    @Autowired
    @Qualifier("letters")
    private IdSource letters;

    @Autowired
    @Qualifier("parcels")
    private IdSource parcels;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void sourcesUseTheEmbeddedDatabase() {
        assertThat(letters.nextId()).isEqualTo(7);
        assertThat(parcels.nextId()).isPositive();

        assertThat(jdbc.queryForObject("SELECT max_id FROM idgen_segment WHERE biz_tag = 'letters'", Long.class))
                .isGreaterThan(7);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL", Long.class))
                .isOne();
    }
}
