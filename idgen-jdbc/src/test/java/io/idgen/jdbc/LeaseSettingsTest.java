package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worker ids by configuration: when they are leased, which ones, and which configurations are rejected. */
class LeaseSettingsTest {
    @AutoClose
    private final Database database = TestDatabase.H2.create();

    private IdSources.Builder settings() {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .source("orders");
    }

    private List<String> leases() throws SQLException {
        return Sql.rows(
                database.dataSource(),
                "SELECT namespace, worker_id FROM idgen_worker WHERE owner_token IS NOT NULL ORDER BY namespace, worker_id");
    }

    @Test
    void withADatabaseAndNoWorkerIdOneIsLeasedAndReleased() throws Exception {
        Instant before = Instant.now();
        try (IdSources sources = settings().build()) {
            long id = sources.get("orders").nextId();
            var parts = SnowflakeLayout.IDGEN.parse(id);

            assertThat(leases()).containsExactly("default | " + (parts.datacenter() * 32 + parts.worker()));
            assertThat(parts.time())
                    .isBetween(before.minusSeconds(5), Instant.now().plusSeconds(5));
            Await.closed(sources.get("orders"));
        }
        assertThat(leases()).isEmpty();
    }

    /** Two regions whose rows are merged later. The control has no datacenter ids. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idsOfTwoDatabasesDifferIfEachHasADatacenterId(boolean datacenters) throws Exception {
        Set<Integer> workers = new HashSet<>();
        try (Database second = TestDatabase.H2.create()) {
            for (Database each : List.of(database, second)) {
                IdSources.Builder settings = IdSources.builder()
                        .resource(DataSource.class, each.dataSource())
                        .source("orders")
                        .set("idgen.worker.id", "7");
                if (datacenters) {
                    settings.set("idgen.worker.datacenter-id", each == second ? "1" : "0");
                }
                try (IdSources sources = settings.build()) {
                    var parts =
                            SnowflakeLayout.IDGEN.parse(sources.get("orders").nextId());
                    workers.add(parts.datacenter() * 32 + parts.worker());
                }
            }
        }
        assertThat(workers).hasSize(datacenters ? 2 : 1);
    }

    @Test
    void aNameThatIsTooLongForTheColumnIsCutAndTheProcessStays() throws SQLException {
        assertThat(ownerOf(settings().set("idgen.worker.owner", "s".repeat(300))))
                .hasSize(255)
                .matches("s+ " + ProcessHandle.current().pid() + "@\\S.*");
    }

    private String ownerOf(IdSources.Builder builder) throws SQLException {
        try (IdSources sources = builder.build()) {
            sources.get("orders").nextId();
            return Sql.rows(database.dataSource(), "SELECT owner_info FROM idgen_worker WHERE owner_token IS NOT NULL")
                    .get(0);
        }
    }

    @Test
    void theOnlyProcessIsTakenAtItsWordAndTheDatabaseIsNotAsked() {
        try (IdSources sources = IdSources.builder()
                .resource(DataSource.class, Wrapped.dataSource(() -> {
                    throw new AssertionError("a connection was asked for");
                }))
                .set("idgen.worker.assigner", "single-process")
                .set("idgen.worker.id", "5")
                .source("orders")
                .build()) {
            assertThat(SnowflakeLayout.IDGEN
                            .parse(sources.get("orders").nextId())
                            .worker())
                    .isEqualTo(5);
        }
    }

    @Test
    void aWorkerIdThatIsSetIsLeasedSoThatASecondProcessWithItIsRefused() throws SQLException {
        IdSources.Builder registered = settings().set("idgen.worker.id", "5").set("idgen.worker.datacenter-id", "1");
        try (IdSources first = registered.build();
                IdSources second =
                        registered.set("idgen.acquire-timeout", "300ms").build()) {
            first.get("orders").nextId();
            assertThat(leases()).containsExactly("default | 37");
            IdGenerationException e = Await.failure(
                    ErrorCode.WORKER_IDS_TAKEN.code(),
                    () -> second.get("orders").nextId());

            assertThat(e)
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "worker id 37, by " + ProcessHandle.current().pid() + "@")
                    .hasMessageContaining("until 20");
        }
    }

    @Test
    @Tag("matrix")
    void theNameOfTheServerIsThatOfTheSettings() throws Exception {
        new IdgenSchema(database.dataSource()).create();
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'it''s node 7'");
        Instant before = Instant.now();
        try (IdSources another = settings().build()) { // fences the rows off, and waits until it can lease one
            assertThat(SnowflakeLayout.IDGEN
                            .parse(another.get("orders").nextId())
                            .time())
                    .isAfter(before.plusSeconds(180));
            Await.closed(another.get("orders"));
        }
        Sql.execute(database.dataSource(), "UPDATE idgen_worker SET server_id = 'it''s node 7', horizon = 0");
        try (IdSources same =
                settings().set("idgen.jdbc.server-identity", "it's node 7").build()) {
            assertThat(SnowflakeLayout.IDGEN.parse(same.get("orders").nextId()).time())
                    .isBefore(Instant.now().plusSeconds(5));
            assertThat(leases()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment", "sequence-table"})
    void aNameOfTheServerThatFitsNoRowIsRefusedAtStart(String strategy) {
        for (String name : List.of("node\n7", "node\u202E7", "x".repeat(65))) {
            IdSources.Builder settings =
                    settings().set("idgen.strategy", strategy).set("idgen.jdbc.server-identity", name);

            ConfigurationException e = assertThrows(ConfigurationException.class, settings::build);

            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING);
            assertThat(e)
                    .hasMessageContaining("idgen.jdbc.server-identity: a server identity is 1 to 64 characters")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aStartAtOnceTakesItsLeaseBeforeTheFirstId() throws Exception {
        try (IdSources sources = settings().set("idgen.startup", "eager").build()) {
            assertThat(leases()).hasSize(1);
            assertThat(sources.get("orders").nextId()).isPositive();
            Await.closed(sources.get("orders"));
        }
        assertThat(leases()).isEmpty();
    }

    @Test
    void aStartAtOnceWithoutItsDatabaseIsRefusedAndLeavesNothingBehind() {
        IdSources.Builder unreachable = IdSources.builder()
                .resource(DataSource.class, Wrapped.dataSource(() -> {
                    throw new SQLException("nobody there", "08001");
                }))
                .source("orders")
                .set("idgen.startup", "eager")
                .set("idgen.acquire-timeout", "300ms");
        IdGenerationException e = Await.failure("nobody there", unreachable::build);

        assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
    }

    @Test
    void theHorizonIsLoweredWhenALeaseIsReleased() throws Exception {
        try (IdSources sources = settings().build()) {
            sources.get("orders").nextId();
            Await.closed(sources.get("orders"));
        }
        String ahead = "SELECT COUNT(*) FROM idgen_worker WHERE horizon > "
                + Instant.now().plus(Duration.ofSeconds(5)).toEpochMilli();
        assertThat(Sql.number(database.dataSource(), ahead)).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    idgen.snowflake.clock-policy  | wait:5ms | so ids follow its clock
                    idgen.worker.lease            | 30s      | idgen.worker.lease
                    idgen.worker.window           | 180s     | idgen.worker.window
                    idgen.worker.id               | 32       | worker id 32 does not fit in 5 bits (0..31)
                    idgen.worker.reserved         | 3-1      | worker ids and ascending ranges are expected, for example 0-3,7, got '3-1'
                    idgen.worker.reserved         | 0-32     | worker id 32 does not fit in 5 bits (0..31)
                    idgen.worker.assigner         | zokeeper | an assigner is fixed
                    idgen.startup                 | soon     | lazy or eager is expected
                    """)
    void whatCannotBeRightIsRefusedAtTheStart(String key, String text, String message) {
        IdSources.Builder builder = settings().set(key, text);
        if (!key.equals("idgen.worker.assigner")) {
            builder.set("idgen.worker.assigner", "jdbc");
        }

        assertThat(assertThrows(ConfigurationException.class, builder::build)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0-3", "0-3,5"})
    void aWorkerIdThatIsChosenIsLeasedWhetherOrNotOthersMayLeaseIt(String reserved) throws Exception {
        String row = "SELECT owner_token FROM idgen_worker WHERE worker_id = 37";
        IdSources.Builder builder = settings()
                .set("idgen.worker.assigner", "fixed")
                .set("idgen.worker.id", "5")
                .set("idgen.worker.datacenter-id", "1");
        if (!reserved.isEmpty()) {
            builder.set("idgen.worker.reserved", reserved);
        }
        try (IdSources sources = builder.build()) {
            var parts = SnowflakeLayout.IDGEN.parse(sources.get("orders").nextId());

            assertThat(parts.worker()).isEqualTo(5);
            assertThat(parts.datacenter()).isEqualTo(1);
            assertThat(Sql.rows(database.dataSource(), row)).singleElement().isNotEqualTo("null");
            Await.closed(sources.get("orders"));
        }
        assertThat(Sql.rows(database.dataSource(), row)).containsExactly("null");
    }

    @Test
    void aLeaseSkipsReservedWorkerIdsInEachDatacenter() {
        for (int i = 0; i < 5; i++) {
            try (IdSources sources =
                    settings().set("idgen.worker.reserved", "0-30").build()) {
                assertThat(SnowflakeLayout.IDGEN
                                .parse(sources.get("orders").nextId())
                                .worker())
                        .isEqualTo(31);
            }
        }
    }
}
