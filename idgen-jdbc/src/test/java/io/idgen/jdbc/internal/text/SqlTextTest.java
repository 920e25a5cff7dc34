package io.idgen.jdbc.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqlTextTest {
    @AutoClose
    private final Connection connection = DriverManager.getConnection("jdbc:h2:mem:");

    SqlTextTest() throws SQLException {}

    @BeforeEach
    void create() throws SQLException {
        new SqlText("CREATE TABLE item (name VARCHAR(9), amount INT)").update(connection);
        new SqlText("INSERT INTO item (name, amount) VALUES (?, 3), ", "pen")
                .add("(?, ?), ", "ink", 5)
                .add("(?, ?)", "nib", 7)
                .update(connection);
    }

    private List<String> items(SqlText condition) throws SQLException {
        return new SqlText("SELECT name, amount FROM item")
                .where(condition)
                .all(connection, row -> row.getString(1) + " " + row.getInt(2));
    }

    @Test
    void changesAndConditionsBringTheirValues() throws SQLException {
        int changed = new SqlText("UPDATE item")
                .set("name = ?", "pencil")
                .set("amount = amount + ?", 1)
                .where("amount > ?", 2)
                .where("amount < ?", 6)
                .update(connection);

        assertThat(changed).isEqualTo(2);
        assertThat(items(new SqlText("name = ?", "pencil"))).containsExactlyInAnyOrder("pencil 4", "pencil 6");
    }

    @Test
    void aQueryFindsARowOrNone() throws SQLException {
        SqlText query = new SqlText("SELECT amount FROM item").where("name = ?", "pen");
        SqlText none = new SqlText("SELECT amount FROM item").where("name = ?", "cap");

        assertThat(query.finds(connection)).isTrue();
        assertThat(none.finds(connection)).isFalse();
        assertThat(query.first(connection, row -> row.getInt(1))).contains(3);
        assertThat(none.first(connection, row -> row.getInt(1))).isEmpty();
    }

    @Test
    void theDriverReturnsAtMostSoManyRows() throws SQLException {
        SqlText query = new SqlText("SELECT name FROM item").atMost(2);

        assertThat(query.all(connection, row -> row.getString(1))).hasSize(2);
    }
}
