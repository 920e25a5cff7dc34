package io.idgen.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class OwnTableTest {
    @Test
    void aTableExistsOrIsMissing() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:own-table");
        try (Connection connection = database.getConnection()) {
            new SqlText("CREATE TABLE item (name VARCHAR(9))").update(connection);
            Transactions transactions = new Transactions(database, Duration.ofSeconds(5));

            assertThat(OwnTable.exists(transactions, SqlName.parse("item", 1, 1)))
                    .isTrue();
            assertThat(OwnTable.exists(transactions, SqlName.parse("order_line", 1, 1)))
                    .isFalse();
        }
    }
}
