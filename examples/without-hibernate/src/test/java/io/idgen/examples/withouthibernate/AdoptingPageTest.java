package io.idgen.examples.withouthibernate;

import static org.assertj.core.api.Assertions.assertThat;

import cn.hutool.core.lang.Snowflake;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import io.hypersistence.tsid.TSID;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks what {@code docs/adopting-generators.md} says about ids of other generators, and runs its settings. */
class AdoptingPageTest {
    private static final Path SETTINGS = Path.of("src", "test", "resources", "adopting");
    private static final Instant DAY = Instant.parse("2026-11-22T00:00:00Z");

    @Test
    void mybatisPlusAndHutoolHaveTheLayoutOfTwitter() {
        assertThatItWasMadeNow(SnowflakeLayout.TWITTER, new Sequence(2, 3).nextId());
        assertThatItWasMadeNow(SnowflakeLayout.TWITTER, new Snowflake(2, 3).nextId());
        assertThat(SnowflakeLayout.TWITTER.parse(new Sequence(2, 3).nextId()).worker())
                .isEqualTo(2);
        assertThat(SnowflakeLayout.TWITTER.parse(new Snowflake(2, 3).nextId()).datacenter())
                .isEqualTo(3);
    }

    @Test
    void tsidHasTheLayoutOfThatName() {
        assertThatItWasMadeNow(SnowflakeLayout.TSID, TSID.Factory.getTsid().toLong());
    }

    private static void assertThatItWasMadeNow(SnowflakeLayout layout, long id) {
        assertThat(Duration.between(layout.parse(id).time(), Instant.now()).abs())
                .isLessThan(Duration.ofHours(1));
    }

    @Test
    void thePageHasTheEpochsAndTheirDistances() throws IOException {
        String page = page();
        Map<String, SnowflakeLayout> layouts = Map.of(
                "idgen", SnowflakeLayout.IDGEN, "twitter", SnowflakeLayout.TWITTER, "tsid", SnowflakeLayout.TSID);

        layouts.forEach((name, layout) -> assertThat(page)
                .contains("`" + name + "` | " + layout.epoch() + " | " + "%,d".formatted(layout.firstIdAt(DAY))));
        assertThat(distance(SnowflakeLayout.TWITTER)).isEqualTo(Period.of(13, 1, 28));
        assertThat(distance(SnowflakeLayout.TSID)).isEqualTo(Period.ofYears(4));
        assertThat(page).contains("after 13 years", "after 4 years");
    }

    private static Period distance(SnowflakeLayout layout) {
        return Period.between(
                LocalDate.ofInstant(layout.epoch(), ZoneOffset.UTC),
                LocalDate.ofInstant(SnowflakeLayout.IDGEN.epoch(), ZoneOffset.UTC));
    }

    @Test
    void idsOfTheDefaultLayoutEqualThoseOfTsidFourYearsLater() {
        long old = SnowflakeLayout.TSID.firstIdAt(DAY);

        assertThat(SnowflakeLayout.IDGEN.parse(old).time()).isEqualTo(DAY.plus(Duration.ofDays(4 * 365 + 1)));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void withTheirLayoutIdsLieAboveTheirs(TestDatabase kind) throws IOException {
        try (Database database = kind.create()) {
            long theirs = new Sequence(31, 31).nextId();

            assertThat(idsWith("after-mybatis-plus", database)).isGreaterThan(theirs);
        }
        try (Database database = kind.create()) {
            long theirs = TSID.Factory.getTsid().toLong();

            assertThat(idsWith("after-tsid", database)).isGreaterThan(theirs);
        }
    }

    @Test
    void withUidGeneratorsLayoutIdsLieAboveIts() throws IOException {
        long seconds = Duration.between(Instant.parse("2016-09-19T16:00:00Z"), Instant.now())
                .toSeconds();
        long its = seconds << 21 + 13 | 41L << 13 | 8191;
        try (Database database = TestDatabase.H2.create()) {
            assertThat(idsWith("after-uidgenerator", database)).isBetween(its, its + (60L << 21 + 13));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theCheckOfTheColumnAcceptsTheirLayout(TestDatabase kind) throws Exception {
        try (Database database = kind.create()) {
            long theirs = TSID.Factory.getTsid().toLong();
            execute(database, "CREATE TABLE book (id BIGINT PRIMARY KEY)");
            execute(database, "INSERT INTO book VALUES (" + theirs + ")");

            assertThat(idsWith("above-tsid", database)).isGreaterThan(theirs);
        }
    }

    @Test
    void withAnEpochADayEarlierIdsLieADayAboveTheirs() throws IOException {
        try (Database database = TestDatabase.H2.create()) {
            long id = idsWith("beside-tsid", database);

            assertThat(Duration.between(
                            Instant.now(), SnowflakeLayout.TSID.parse(id).time()))
                    .isBetween(Duration.ofHours(23), Duration.ofHours(25));
        }
    }

    @Test
    void oneTableHasAnotherLayoutInANamespaceOfItsOwn() throws IOException {
        try (Database database = TestDatabase.H2.create();
                IdSources sources = sources("one-table", database)) {
            assertThatItWasMadeNow(SnowflakeLayout.TWITTER, sources.get("book").nextId());
            assertThatItWasMadeNow(SnowflakeLayout.IDGEN, sources.get("other").nextId());
        }
    }

    @Test
    void aDatacenterOfItsOwnKeepsIdsApartFromThoseOfAGeneratorWithTheSameEpoch() throws IOException {
        Snowflake other = new Snowflake(Date.from(SnowflakeLayout.IDGEN.epoch()), 31, 0, false);
        assertThatItWasMadeNow(SnowflakeLayout.IDGEN, other.nextId());
        assertThat(SnowflakeLayout.IDGEN.parse(other.nextId()).datacenter()).isZero();
        try (Database database = TestDatabase.H2.create()) {
            assertThat(SnowflakeLayout.IDGEN
                            .parse(idsWith("among-idgens", database))
                            .datacenter())
                    .isEqualTo(1);
        }
    }

    private static long idsWith(String settings, Database database) throws IOException {
        try (IdSources sources = sources(settings, database)) {
            return sources.get("book").nextId();
        }
    }

    private static IdSources sources(String settings, Database database) throws IOException {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .file(SETTINGS.resolve(settings + ".properties"))
                .source("book")
                .source("other")
                .build();
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "..", "docs", "adopting-generators.md"));
    }

    private static void execute(Database database, String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
