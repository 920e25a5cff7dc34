package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.internal.lease.LeaseKeeper;
import io.idgen.core.testing.Quiet;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Runs the SQL of {@code docs/adopting-int.md} and {@code docs/adopting-identity.md} on a table with rows and a child
 * table. Applications insert before each statement and after the last one.
 */
@Tag("databases")
@Tag("servers")
@Quiet(LeaseKeeper.class)
class AdoptingPagesTest {
    private static final long SNOWFLAKE = 382_324_861_541_810_176L;
    private static final long ABOVE_INT = 3_000_000_000L;
    private static final Map<TestDatabase, String> SECTIONS = Map.of(
            TestDatabase.H2, "## PostgreSQL",
            TestDatabase.POSTGRESQL, "## PostgreSQL",
            TestDatabase.MARIADB, "## MariaDB and MySQL",
            TestDatabase.MYSQL, "## MariaDB and MySQL");

    private int books;

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void anIntAndItsForeignKeyBecomeBigint(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, automatic(kind, "INT").replace("ALWAYS", "BY DEFAULT"), "INT");
            assertThatThrownBy(() -> insert(connection, ABOVE_INT))
                    .as("control")
                    .isInstanceOf(SQLException.class);

            for (String statement : statements("adopting-int.md", SECTIONS.get(kind), "\n### ")) {
                if (isOf(kind, statement) && !statement.contains("SEQUENCE")) {
                    insertAsBefore(connection);
                    run(connection, statement);
                }
            }

            insertAsBefore(connection);
            insert(connection, ABOVE_INT);
            assertThatTheForeignKeyHolds(connection);
        }
    }

    @Test
    void aSerialAlsoNeedsABigintSequence() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, "SERIAL", "INT");
            List<String> statements = statements("adopting-int.md", "## PostgreSQL", "\n### ");
            String sequence = statements.get(statements.size() - 1);
            assertThat(sequence).contains("ALTER SEQUENCE");
            for (String statement : statements.subList(0, statements.size() - 1)) {
                run(connection, statement);
            }
            String next = "SELECT setval('book_id_seq', " + ABOVE_INT + ")";
            assertThatThrownBy(() -> run(connection, next)).as("control").isInstanceOf(SQLException.class);

            run(connection, sequence);

            run(connection, next);
            insertAsBefore(connection);
        }
    }

    /** A tool changes the tables after the foreign key is dropped; here, the MODIFY that it runs does so. */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void withoutTheForeignKeyEachTableChangesAlone(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, automatic(kind, "INT"), "INT");
            List<String> changes = blocks("sh", "adopting-int.md", "### Without a lock on MariaDB and MySQL", "\n## ")
                    .flatMap(String::lines)
                    .map(line -> line.replaceFirst(".*--alter \"(.*)\".* D=shop,t=(\\w+)", "ALTER TABLE $2 $1"))
                    .toList();
            assertThat(changes)
                    .hasSize(2)
                    .allSatisfy(change -> assertThatThrownBy(() -> run(connection, change))
                            .hasMessageContaining("foreign key constraint"));

            for (String statement : statements("adopting-int.md", "### Without a lock on MariaDB and MySQL", "\n## ")) {
                insertAsBefore(connection);
                run(connection, statement);
                if (statement.contains("DROP FOREIGN KEY")) {
                    for (String change : changes) {
                        run(connection, change);
                        insertAsBefore(connection);
                    }
                }
            }

            insert(connection, ABOVE_INT);
            assertThatTheForeignKeyHolds(connection);
        }
    }

    @Test
    void onPostgreSqlEachLockIsTheOneOfThePages() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, automatic(TestDatabase.POSTGRESQL, "INT"), "INT");
            for (String statement : statements("adopting-int.md", "## PostgreSQL", "\n### ")) {
                if (statement.equals("COMMIT")) {
                    assertThat(locks(database, "book")).contains("AccessExclusiveLock");
                    assertThat(locks(database, "loan")).contains("AccessExclusiveLock");
                }
                if (isOf(TestDatabase.POSTGRESQL, statement)) {
                    run(connection, statement);
                }
            }
            connection.setAutoCommit(false);
            run(
                    connection,
                    statements("adopting-identity.md", "## PostgreSQL", "\n## ").get(1));
            assertThat(locks(database, "book")).contains("AccessExclusiveLock");
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void automaticNumbersEndAndComeBack(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, automatic(kind, "BIGINT"), "BIGINT");
            List<String> statements = statements("adopting-identity.md", SECTIONS.get(kind), "\n## ").stream()
                    .filter(statement -> isOf(kind, statement))
                    .toList();
            boolean hasEnded = false;
            for (String statement : statements) {
                boolean ends = statement.contains("DROP IDENTITY") || statement.endsWith("NOT NULL");
                if (kind == TestDatabase.H2 && statement.contains("ADD GENERATED")) {
                    break; // H2 has other statements to go back
                }
                if (!hasEnded) {
                    insertAsBefore(connection);
                }
                if (ends) { // the new version is deployed
                    insert(connection, SNOWFLAKE);
                    insertAsBefore(connection);
                    insert(connection, SNOWFLAKE + 1);
                }
                run(connection, statement);
                if (ends) {
                    hasEnded = true;
                    insert(connection, SNOWFLAKE + 2);
                    assertThatThrownBy(() -> insertAsBefore(connection))
                            .as("a forgotten instance")
                            .isInstanceOf(SQLException.class);
                }
            }
            if (kind != TestDatabase.H2) {
                insertAsBefore(connection);
            }
            assertThatTheForeignKeyHolds(connection);
        }
    }

    @Test
    void theAutomaticNumbersOfASerialEnd() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, "BIGSERIAL", "BIGINT");
            for (String statement : statements("adopting-identity.md", "## PostgreSQL", "\n## ")) {
                if (statement.contains("DROP DEFAULT") || statement.contains("SEQUENCE")) {
                    run(connection, statement);
                }
            }

            insert(connection, SNOWFLAKE);
            assertThatThrownBy(() -> insertAsBefore(connection)).isInstanceOf(SQLException.class);
        }
    }

    /** Why step 1 on MariaDB and MySQL sets the largest number before the automatic numbers rise. */
    @ParameterizedTest(allowZeroInvocations = true)
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void theRaisedNumbersAreAcceptedWithTheSettingAlone(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            createTables(connection, automatic(kind, "BIGINT"), "BIGINT");
            run(
                    connection,
                    statements("adopting-identity.md", SECTIONS.get(kind), "\n## ")
                            .get(1));
            insertAsBefore(connection);

            assertThat(idOfAnEntity(database, Map.of("idgen.sources.book.snowflake.start-above", "48211")))
                    .isPositive();
            assertThatThrownBy(() -> idOfAnEntity(database, Map.of()))
                    .isInstanceOfSatisfying(
                            ConfigurationException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.EXISTING_IDS_AHEAD));
        }
    }

    /** Returns an id as under Hibernate, which names the column of the entity. */
    private static long idOfAnEntity(Database database, Map<String, String> settings) {
        SourceBinder binder = SourceBinder.of(IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .settings(settings, "the page"));
        binder.bind("book", Map.of("id-columns", "book.id"));
        binder.check();
        try (IdSources sources = binder.sources()) {
            return sources.get("book").nextId();
        }
    }

    private static String automatic(TestDatabase kind, String type) {
        return switch (kind) {
            case MARIADB, MYSQL -> type + " NOT NULL AUTO_INCREMENT";
            default -> type + " GENERATED ALWAYS AS IDENTITY";
        };
    }

    private void createTables(Connection connection, String id, String reference) throws SQLException {
        run(connection, "CREATE TABLE book (id " + id + " PRIMARY KEY, title VARCHAR(100))");
        run(
                connection,
                "CREATE TABLE loan (book_id " + reference + " NOT NULL,"
                        + " CONSTRAINT loan_book FOREIGN KEY (book_id) REFERENCES book (id))");
        insertAsBefore(connection);
    }

    /** Inserts a book with a number of the database, and its loan. */
    private void insertAsBefore(Connection connection) throws SQLException {
        String title = "'book " + ++books + "'";
        run(connection, "INSERT INTO book (title) VALUES (" + title + ")");
        run(connection, "INSERT INTO loan (book_id) SELECT id FROM book WHERE title = " + title);
    }

    /** Inserts a book with an id of the application, and its loan. */
    private static void insert(Connection connection, long id) throws SQLException {
        run(connection, "INSERT INTO book (id, title) VALUES (" + id + ", 'new')");
        run(connection, "INSERT INTO loan (book_id) VALUES (" + id + ")");
    }

    private static void assertThatTheForeignKeyHolds(Connection connection) throws SQLException {
        assertThat(Sql.rows(connection, "SELECT count(*) FROM book"))
                .isEqualTo(Sql.rows(connection, "SELECT count(*) FROM loan JOIN book ON book.id = loan.book_id"));
        assertThatThrownBy(() -> run(connection, "INSERT INTO loan (book_id) VALUES (4711)"))
                .isInstanceOf(SQLException.class);
    }

    private static String locks(Database database, String table) throws SQLException {
        return String.join(
                ", ",
                Sql.rows(
                        database.dataSource(),
                        "SELECT mode FROM pg_locks WHERE relation = '" + table + "'::regclass AND granted"));
    }

    /** Whether a statement of a page is for this kind of database and for an IDENTITY column. */
    private static boolean isOf(TestDatabase kind, String statement) {
        if (kind == TestDatabase.H2 && !statement.matches("(?s)ALTER TABLE .*")) {
            return false;
        }
        return !statement.contains("DROP DEFAULT") && !statement.contains("SEQUENCE");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        Sql.execute(connection, sql);
    }

    /** Returns the SQL statements of a section, which begins with a heading and ends before another one. */
    private static List<String> statements(String page, String section, String end) throws Exception {
        List<String> statements = blocks("sql", page, section, end)
                .flatMap(block -> Stream.of(block.split(";")))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
        assertThat(statements).as(page + " " + section).isNotEmpty();
        return statements;
    }

    private static Stream<String> blocks(String language, String page, String section, String end) throws Exception {
        String text = Files.readString(Path.of("..", "docs", page))
                .split("\n" + section + "\n")[1]
                .split(end)[0];
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map((MatchResult block) -> block.group(1));
    }
}
