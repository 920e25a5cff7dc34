package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the statements of {@code docs/leaving.md}, after which the database numbers new rows. */
@Tag("databases")
class LeavingStatementsTest {
    private static final long SNOWFLAKE = 382_324_861_541_810_176L;

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PostgreSQL", "MARIADB, MariaDB and MySQL"})
    void automaticNumbersContinueAboveTheLargestSnowflake(TestDatabase kind, String section) throws Exception {
        try (Database database = bookWithASnowflake(kind)) {
            assertThatThrownBy(() -> Sql.execute(database.dataSource(), "INSERT INTO book (title) VALUES ('Emma')"))
                    .as("control")
                    .isInstanceOf(SQLException.class);

            run(database, section, false);

            Sql.execute(database.dataSource(), "INSERT INTO book (title) VALUES ('Emma')");
            assertThat(Sql.number(database.dataSource(), "SELECT max(id) FROM book"))
                    .isEqualTo(SNOWFLAKE + 1);
        }
    }

    /** Hibernate's pooled optimizer reads a value v of the sequence as the ids v - 49 to v. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, PostgreSQL, SELECT nextval('book_seq')",
        "MARIADB, MariaDB and MySQL, SELECT NEXT VALUE FOR book_seq"
    })
    void theFirstBlockOfTheSequenceBeginsAboveTheLargestSnowflake(TestDatabase kind, String section, String next)
            throws Exception {
        try (Database database = bookWithASnowflake(kind)) {
            run(database, section, true);

            assertThat(Sql.number(database.dataSource(), next) - 49).isEqualTo(SNOWFLAKE + 1);
        }
    }

    private static Database bookWithASnowflake(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        Sql.execute(database.dataSource(), "CREATE TABLE book (id BIGINT NOT NULL PRIMARY KEY, title VARCHAR(100))");
        Sql.execute(database.dataSource(), "INSERT INTO book (id) VALUES (" + SNOWFLAKE + ")");
        return database;
    }

    private static void run(Database database, String section, boolean isSequence) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "leaving.md")) + "\n## ";
        String text = Pattern.compile("\n## " + section + "\n(.*?)\n## ", Pattern.DOTALL)
                .matcher(page)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        List<String> statements = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1).strip())
                .filter(statement ->
                        (statement.contains("book_seq") || statement.startsWith("SELECT coalesce")) == isSequence)
                .toList();
        assertThat(statements).isNotEmpty();
        for (String statement : statements) {
            Sql.execute(database.dataSource(), statement);
        }
    }
}
