package io.idgen.spring.boot.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

/** Segments and leases in {@code @DataJpaTest}, whose embedded database replaces that of the application. */
@TestPropertySource(
        properties = {
            "spring.datasource.url=jdbc:postgresql://localhost:1/none",
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "idgen.worker.namespace=slices", // Spring keeps this context and its lease beside other tests
            "idgen.sources.book.strategy=segment",
            "idgen.sources.parcels.strategy=snowflake"
        })
@DataJpaTest
class DataJpaSliceTest {
    @Autowired
    private Books books;

    @Autowired
    private IdSources sources;

    @Autowired
    @Qualifier("parcels")
    private IdSource parcels;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void anEntityGetsAnIdOfASegmentAndAWorkerIdIsLeasedInTheEmbeddedDatabase() {
        Book book = books.saveAndFlush(new Book("Emma"));

        assertThat(book.id()).isPositive();
        assertThat(jdbc.queryForObject("SELECT next_id FROM idgen_counter WHERE name = 'book'", Long.class))
                .isGreaterThan(book.id());
        assertThat(sources.strategy("book")).isEqualTo("segment");
        assertThat(parcels.nextId()).isPositive();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL", Long.class))
                .isOne();
    }
}
