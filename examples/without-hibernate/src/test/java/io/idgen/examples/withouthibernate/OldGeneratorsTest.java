package io.idgen.examples.withouthibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cn.hutool.core.lang.Snowflake;
import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import io.hypersistence.tsid.TSID;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.jdbc.testing.Books;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Another generator and idgen insert into a table and two children at once, as {@code docs/adopting-generators.md}
 * describes it. {@code -Dold.rows=25000} makes 100,000 rows in each table instead of 800; {@code
 * -Dtest.databases=MYSQL} runs it on MySQL.
 */
@Tag("matrix")
@ParameterizedClass
@EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
class OldGeneratorsTest {
    @Parameter
    private TestDatabase kind = TestDatabase.POSTGRESQL;

    private enum Generator {
        // not IdWorker: in this JVM, the starter can have given it idgen's ids
        MYBATIS_PLUS(
                SnowflakeLayout.TWITTER,
                () -> DefaultIdentifierGenerator.getInstance().nextId(null)),
        HUTOOL(SnowflakeLayout.TWITTER, new Snowflake(2, 3)::nextId),
        TSID_CREATOR(SnowflakeLayout.TSID, () -> TSID.Factory.getTsid().toLong());

        private final SnowflakeLayout layout;
        private final LongSupplier ids;

        Generator(SnowflakeLayout layout, LongSupplier ids) {
            this.layout = layout;
            this.ids = ids;
        }

        private String preset() {
            return layout.equals(SnowflakeLayout.TSID) ? "tsid" : "twitter";
        }

        private int worker() {
            return layout.parse(ids.getAsLong()).worker();
        }
    }

    @ParameterizedTest
    @EnumSource
    void withAnEpochADayEarlierAllIdsLieAboveThoseOfTheOtherGenerator(Generator other) throws Exception {
        Rows rows = inserted(
                other,
                "idgen.snowflake.epoch",
                other.layout.epoch().minus(Duration.ofDays(1)).toString());

        // leased ids lie minutes ahead of the clock, so that for a while they are larger without the epoch too
        Instant last = other.layout.parse(Collections.max(rows.theirs)).time();
        assertThat(other.layout.parse(Collections.min(rows.ours)).time()).isAfter(last.plus(Duration.ofHours(12)));
    }

    @ParameterizedTest
    @EnumSource
    void withItsWorkerIdReservedNoIdHasTheWorkerIdOfTheOtherGenerator(Generator other) throws Exception {
        Rows rows = inserted(other, "idgen.worker.reserved", Integer.toString(other.worker()));

        assertThat(rows.ours).noneMatch(id -> other.layout.parse(id).worker() == other.worker());
    }

    /** The control: the same layout and epoch, and by chance the same worker id. */
    @ParameterizedTest
    @EnumSource
    void withTheSameLayoutAndWorkerIdAnIdRepeats(Generator other) throws SQLException {
        long theirs = other.ids.getAsLong();
        SnowflakeParts parts = other.layout.parse(theirs);
        io.idgen.core.snowflake.Snowflake ours = io.idgen.core.snowflake.Snowflake.builder()
                .layout(other.layout)
                .datacenterId(parts.datacenter())
                .workerId(parts.worker())
                .startOffsetBelow(1)
                .clock(parts::time)
                .build();
        try (ours;
                Database database = kind.create()) {
            JdbcTemplate jdbc = tables(database);
            insert(jdbc, theirs);

            assertThat(ours.nextIds(4096)).contains(theirs);
            assertThatThrownBy(() -> insert(jdbc, theirs)).isInstanceOf(DuplicateKeyException.class);
        }
    }

    private record Rows(List<Long> theirs, List<Long> ours) {}

    /** Two threads of the other generator and two processes of idgen insert at once. A repeated id fails. */
    private Rows inserted(Generator other, String setting, String value) throws Exception {
        try (Database database = kind.create();
                IdSources one = sources(database, other, setting, value);
                IdSources two = sources(database, other, setting, value)) {
            DataSource dataSource = database.dataSource();
            Books.createTables(dataSource);
            List<List<Long>> ids = Books.insertAtOnce(
                    dataSource,
                    List.of(
                            Books.writer(dataSource, other.ids),
                            Books.writer(dataSource, other.ids),
                            Books.writer(dataSource, one.get("book")::nextId),
                            Books.writer(dataSource, two.get("book")::nextId)));
            return new Rows(concat(ids.get(0), ids.get(1)), concat(ids.get(2), ids.get(3)));
        }
    }

    private static List<Long> concat(List<Long> some, List<Long> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static IdSources sources(Database database, Generator other, String setting, String value) {
        return IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.snowflake.layout", other.preset())
                .set(setting, value)
                .source("book")
                .build();
    }

    private static JdbcTemplate tables(Database database) throws SQLException {
        Books.createTables(database.dataSource());
        return new JdbcTemplate(database.dataSource());
    }

    private static void insert(JdbcTemplate jdbc, long id) {
        jdbc.update("INSERT INTO book VALUES (?)", id);
    }
}
