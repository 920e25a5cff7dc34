package io.idgen.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
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
}
