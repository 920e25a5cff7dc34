package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("matrix")
class SqlFunctionsOnPostgreSqlTest extends SqlFunctionsContract {
    @Override
    ReplicatedPair start() throws SQLException {
        return new PostgreSqlPair();
    }

    @Override
    List<String> statements(String script) {
        return List.of(script);
    }

    @Override
    List<String> controlAndTrigger() {
        return List.of(
                """
                CREATE FUNCTION plain_next(source text) RETURNS bigint LANGUAGE sql AS $$
                    UPDATE idgen_counter SET next_id = next_id + 1 WHERE name = source RETURNING next_id - 1
                $$
                """, """
                CREATE FUNCTION order_id() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    NEW.id := coalesce(NEW.id, idgen_next('orders'));
                    RETURN NEW;
                END
                $$
                """, "CREATE TRIGGER order_id BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION order_id()");
    }

    @Override
    List<String> statementsOfThePage() throws Exception {
        Sql.execute(database, "CREATE ROLE shop");
        return super.statementsOfThePage();
    }

    @Override
    List<String> client(String port, String user) {
        return List.of("psql", "-X", "-q", "-At", "-h", "127.0.0.1", "-p", port, "-U", user, "-d", "idgen");
    }

    @Override
    List<String> clerk() {
        return List.of(
                "CREATE ROLE clerk LOGIN PASSWORD 'clerk-secret'",
                "GRANT EXECUTE ON FUNCTION idgen_next(text) TO clerk");
    }

    @Test
    void aRowThatWasSetBackIsRefusedInASessionThatKnowsAHigherNumber() throws SQLException {
        Sql.execute(database, "INSERT INTO idgen_counter (name, next_id, step) VALUES ('back', 1000, 1)");
        try (Connection connection = database.getConnection()) {
            Sql.rows(connection, "SELECT idgen_next_range('back', 10)");
            Sql.execute(database, "UPDATE idgen_counter SET next_id = 1 WHERE name = 'back'");

            assertThatThrownBy(() -> Sql.rows(connection, "SELECT idgen_next('back')"))
                    .hasMessageContaining("IDGEN-304");
        }
    }

    @Test
    void aTransactionThatNeedNotWaitForTheDiskWaitsIfItTakesIds() throws SQLException {
        Sql.execute(database, "INSERT INTO idgen_counter (name, next_id, step) VALUES ('durable', 1, 1)");
        try (Connection connection = database.getConnection()) {
            Sql.execute(connection, "SET synchronous_commit = off");
            connection.setAutoCommit(false);
            Sql.rows(connection, "SELECT idgen_next('durable')");

            assertThat(Sql.rows(connection, "SHOW synchronous_commit")).containsExactly("local");
            connection.rollback();
        }
    }

    @Test
    void aTableOfTheCallerIsNotUsed() throws SQLException {
        Sql.execute(database, "INSERT INTO idgen_counter (name, next_id, step) VALUES ('own', 5000, 1)");
        try (Connection connection = database.getConnection()) {
            Sql.execute(
                    connection, "CREATE TEMPORARY TABLE idgen_counter (LIKE public.idgen_counter INCLUDING DEFAULTS)");
            Sql.execute(connection, "INSERT INTO pg_temp.idgen_counter (name, next_id, step) VALUES ('own', 1, 1)");

            assertThat(Sql.rows(connection, "SELECT idgen_next('own')")).containsExactly("5000");
        }
    }
}
