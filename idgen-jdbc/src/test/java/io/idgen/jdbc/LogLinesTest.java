package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Start and stop write one line each to the log at INFO. The lines contain no users, and name worker ids as the table
 * does.
 */
class LogLinesTest {
    private final Database database = TestDatabase.H2.create();
    private final LogLines log = new LogLines("io.idgen");

    @AfterEach
    void close() {
        log.close();
        database.close();
    }

    @Test
    void aLeasedWorkerIdHasOneLineAtStartAndOneAtReleaseWithTheNumberOfItsRow() throws Exception {
        try (IdSources sources = IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.worker.namespace", "one-line-each")
                .set("idgen.worker.datacenter-id", "2")
                .set("idgen.worker.id", "3")
                .source("orders")
                .source("order-lines")
                .build()) {
            sources.get("orders").nextId();
            sources.get("order-lines").nextId();
            long row = Sql.number(
                    database.dataSource(), "SELECT worker_id FROM idgen_worker WHERE owner_token IS NOT NULL");

            Await.until("a line at start", () -> !ours().isEmpty());
            assertThat(row).isEqualTo(67);
            assertThat(ours())
                    .singleElement()
                    .asString()
                    .startsWith("INFO one-line-each: worker id 67 (datacenter 2, worker 3) is leased until ");
        }
        Await.until("a line at release", () -> ours().size() > 1);
        assertThat(ours())
                .hasSize(2)
                .last()
                .isEqualTo("INFO one-line-each: worker id 67 (datacenter 2, worker 3) is released");
    }

    /** Returns the lines of this test. Leases of other tests can write lines at any time. */
    private List<String> ours() {
        return log.lines().stream()
                .filter(line -> line.contains("one-line-each") || !line.contains("worker id"))
                .toList();
    }

    private String lineOfSegmentsFrom(DataSource dataSource) {
        try (IdSources sources = IdSources.builder()
                .resource(DataSource.class, dataSource)
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.acquire-timeout", "1m") // on a busy machine, the first refill takes longer than 3 s
                .source("orders")
                .build()) {
            sources.get("orders").nextId();
        }
        // leases of other tests can write lines at any time
        List<String> lines =
                log.lines().stream().filter(line -> !line.contains("worker id")).toList();
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    @Test
    void segmentsNameTheirPoolByItsName() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.url());
            pool.setUsername(database.user());
            pool.setPassword(database.password());

            assertThat(lineOfSegmentsFrom(pool))
                    .matches(
                            "INFO ids come from tables through a copy of the HikariCP pool '[^']+' with 2 connections, with at"
                                    + " most 2 additional connections in this process");
        }
    }

    /** A pool whose {@code toString()} contains all of its settings, like Tomcat's. */
    @Test
    void segmentsNameAnotherPoolByItsClassWithoutItsSettings() {
        DataSource pool = Wrapped.dataSource(database.dataSource()::getConnection);

        assertThat(lineOfSegmentsFrom(pool))
                .startsWith("INFO ids come from tables through a data source of type ")
                .doesNotContain(pool.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://db/shop?password=secret | must be a JNDI name, and jdbc:postgresql://db/shop is a URL; set idgen.jdbc.url
            postgresql://u:secret@db/shop | must be a JNDI name, and *** is a URL; set idgen.jdbc.url
            bean:idgenDataSource | must be a JNDI name, not the text of an object; pass the DataSource object itself
            com.example.Pool@1f2e3d{user=shop} | must be a JNDI name, not the text of an object; pass the DataSource object itself
            """)
    void aDataSourceThatCannotBeAJndiNameIsRefusedAtStartWithTheWayOut(String text, String refusal) {
        assertThatThrownBy(() -> IdSources.builder()
                        .set("idgen.jdbc.data-source", text)
                        .source("orders")
                        .build())
                .hasMessageContaining(refusal)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("user=shop");
    }
}
