package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.Leases;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Tables and sequences whose rows a crash loses, although commits of the server are durable. */
@Tag("databases")
@Tag("servers")
class TablesThatLoseRowsTest {
    private static final List<String> POSTGRESQL = List.of("SET UNLOGGED");
    private static final List<String> MYSQL = List.of("ENGINE = MyISAM", "ENGINE = MEMORY");
    private static final List<String> MARIADB = List.of("ENGINE = MyISAM", "ENGINE = MEMORY", "ENGINE = Aria");

    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void areRefused(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource source = database.dataSource();
            IdgenSchema schema = new IdgenSchema(source);
            schema.create();
            for (String table : List.of("idgen_counter", "idgen_worker")) {
                for (String each :
                        kind == TestDatabase.POSTGRESQL ? POSTGRESQL : kind == TestDatabase.MYSQL ? MYSQL : MARIADB) {
                    Sql.execute(source, "ALTER TABLE " + table + " " + each);
                    String statement = refusal(schema::create, table);
                    refusal(
                            table.equals("idgen_counter")
                                    ? () -> new Counters(source).startingAt(1).allocate("orders", 1)
                                    : () -> Leases.acquire(new JdbcWorkerIds(source), Leases.terms(1), "token"),
                            table);
                    Sql.execute(source, statement);
                }
            }
            schema.create();
            assertThat(new Counters(source).startingAt(1).allocate("orders", 1).first())
                    .isOne();
            Leases.acquire(new JdbcWorkerIds(source), Leases.terms(1), "token");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB})
    void aSequenceIsRefusedToo(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource source = database.dataSource();
            Sql.execute(
                    source,
                    kind == TestDatabase.POSTGRESQL
                            ? "CREATE UNLOGGED SEQUENCE orders"
                            : "CREATE SEQUENCE orders NOCACHE ENGINE = MyISAM");
            Sql.execute(source, refusal(() -> new NativeSequence(source, "orders").allocate("orders", 1), "orders"));
            assertThat(new NativeSequence(source, "orders")
                            .allocate("orders", 1)
                            .first())
                    .isBetween(1L, 2L);
        }
    }

    /** Returns the statement of the message. */
    private static String refusal(ThrowingCallable call, String table) {
        IdGenerationException[] refusal = new IdGenerationException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(IdGenerationException.class, e -> refusal[0] = e);
        assertThat(refusal[0].code()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
        assertThat(refusal[0]).hasMessageContaining("a crash loses rows of " + table + ", because it");
        return String.valueOf(refusal[0].getMessage()).replaceFirst("(?s).*(ALTER TABLE \\w+ [\\w =]+).*", "$1");
    }
}
