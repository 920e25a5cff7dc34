package io.idgen.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;

class ExistingTableTest {
    @ParameterizedTest
    @EachDatabase
    void aTableExistsOrIsMissing(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            Sql.execute(database.dataSource(), "CREATE TABLE item (name VARCHAR(9))");
            Transactions transactions = new Transactions(database.dataSource(), Duration.ofSeconds(5));

            assertThat(transactions.exists(SqlName.parse("item", 1, 1))).isTrue();
            assertThat(transactions.exists(SqlName.parse("order_line", 1, 1))).isFalse();
        }
    }

    /** As at the first lease of a namespace. PostgreSQL commits no transaction with a failed statement. */
    @ParameterizedTest
    @EachDatabase
    void theLargestIdIsReadInTheTransactionThatLooksForTheTable(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            Sql.execute(database.dataSource(), "CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY)");
            Sql.execute(database.dataSource(), "INSERT INTO item VALUES (7)");
            Transactions transactions = new Transactions(database.dataSource(), Duration.ofSeconds(5));

            assertThat(largestId(transactions, "item.id")).hasValue(7);
            assertThat(largestId(transactions, "order_line.id")).isEmpty();
            assertThat(largestId(transactions, "item.id")).hasValue(7);
        }
    }

    private static OptionalLong largestId(Transactions transactions, String column) {
        return LargestValue.ifTableExists(transactions, "reading " + column, SqlName.parse(column, 2, 2));
    }
}
