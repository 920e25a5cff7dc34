package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each start compares the largest ids of the entities with the layout in use. */
class ExistingIdsTest {

    /** Two hours ago, so that the next ids of the same layout are above whatever the clocks. */
    private static final long OF_TWITTER =
            SnowflakeLayout.TWITTER.firstIdAt(Instant.now().minus(Duration.ofHours(2)));

    private static Unit.Builder unit(Database database, Class<?>... entities) {
        return Unit.of(entities).url(database.url()).set("idgen.worker.assigner", "jdbc");
    }

    private static void insert(Database database, String table, long id) throws SQLException {
        Sql.execute(database.dataSource(), "CREATE TABLE IF NOT EXISTS " + table + " (id BIGINT NOT NULL PRIMARY KEY)");
        Sql.execute(database.dataSource(), "INSERT INTO " + table + " VALUES (" + id + ")");
    }

    private static long persisted(Unit unit) {
        Plain entity = new Plain();
        unit.persist(entity);
        return entity.id;
    }

    @Test
    void idsOfAnotherGeneratorAreRefusedAtEachStartUntilTheLayoutFits() throws SQLException {
        try (Database database = Run.createSharedDatabase()) {
            insert(database, "Plain", OF_TWITTER);
            for (int start = 1; start <= 2; start++) {
                try (Unit unit = unit(database, Plain.class, Numbered.class).boot()) {
                    assertThatThrownBy(() -> unit.persist(new Numbered()))
                            .hasStackTraceContaining("IDGEN-206")
                            .hasStackTraceContaining("Plain.id, " + OF_TWITTER)
                            .hasStackTraceContaining("idgen.snowflake.layout=twitter");
                    assertThat(leased(database)).isZero();
                }
            }

            try (Unit unit = unit(database, Plain.class)
                    .set("idgen.snowflake.layout", "twitter")
                    .boot()) {
                assertThat(persisted(unit)).isGreaterThan(OF_TWITTER);
            }
        }
    }

    /** A namespace whose rows its first process creates, unlike those of the default one, which the script contains. */
    @Test
    void aNewNamespaceIsNoWayAroundIt() throws SQLException {
        try (Database database = Run.createSharedDatabase()) {
            insert(database, "Plain", OF_TWITTER);
            try (Unit unit = unit(database, Plain.class)
                    .set("idgen.worker.namespace", "moved")
                    .boot()) {
                assertThatThrownBy(() -> persisted(unit)).hasStackTraceContaining("IDGEN-206");
                assertThat(leased(database)).isZero();
            }
        }
    }

    /** A namespace that is in use, and a process that leases no worker id, are no ways around it, either. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "single-process"})
    void theSecondEntityThatMovesIsComparedAsTheFirstWas(String assigner) throws SQLException {
        try (Database database = Run.createSharedDatabase()) {
            try (Unit first = unit(database, Numbered.class).boot()) {
                first.persist(new Numbered());
            }
            insert(database, "Plain", OF_TWITTER);
            try (Unit unit = second(database, assigner).boot()) {
                assertThatThrownBy(() -> persisted(unit)).hasStackTraceContaining("IDGEN-206");
            }

            // the control: the comparison is off for this entity
            try (Unit unit = second(database, assigner)
                    .set("idgen.sources.plain.snowflake.start-above", "1")
                    .boot()) {
                assertThat(persisted(unit)).isLessThan(OF_TWITTER);
            }
        }
    }

    private static Unit.Builder second(Database database, String assigner) {
        return unit(database, Plain.class, Numbered.class).set("idgen.worker.assigner", assigner);
    }

    /** An attribute that is no primary key may have no index, and its largest value can cost a scan of the table. */
    @Test
    void onlyPrimaryKeysAreCompared() throws SQLException {
        try (Database database = Run.createSharedDatabase()) {
            Sql.execute(
                    database.dataSource(),
                    "CREATE TABLE Numbered (id BIGINT NOT NULL PRIMARY KEY, number BIGINT, note VARCHAR(255))");
            Sql.execute(database.dataSource(), "INSERT INTO Numbered VALUES (1, " + OF_TWITTER + ", '')");
            try (Unit unit = unit(database, Numbered.class).boot()) {
                Numbered entity = new Numbered();
                unit.persist(entity);
                assertThat(entity.number).isLessThan(OF_TWITTER);
            }
        }
    }

    @Test
    void smallNumbersAndIdsOfTheSameLayoutAreAccepted() throws SQLException {
        try (Database database = Run.createSharedDatabase()) {
            insert(database, "Plain", 48_211);
            insert(database, "Plain", SnowflakeLayout.IDGEN.firstIdAt(Instant.now()));
            try (Unit unit = unit(database, Plain.class).boot()) {
                assertThat(persisted(unit)).isPositive();
            }
        }
    }

    private static long leased(Database database) throws SQLException {
        return Sql.number(
                database.dataSource(), "SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL OR fence > 0");
    }
}
