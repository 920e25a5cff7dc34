package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
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
    List<String> statementsOfThePage() throws Exception {
        Sql.execute(database, "CREATE ROLE shop");
        return super.statementsOfThePage();
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

    @Test
    void functionsOfTwoSchemasDoNotTakeEachOthersIds() throws SQLException {
        for (String schema : List.of("one", "two")) {
            Sql.execute(database, "CREATE SCHEMA " + schema);
            new IdgenSchema(database).withPrefix(schema + ".idgen_").create();
            String functions = new IdgenSchema(database).functionsScript();
            Sql.execute(database, "SET search_path = " + schema + ";\n" + functions);
        }
        Sql.execute(database, "INSERT INTO one.idgen_counter (name, next_id) VALUES ('orders', 1000)");
        Sql.execute(database, "INSERT INTO two.idgen_counter (name, next_id) VALUES ('orders', 1)");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(ids(connection, "one", "two", "one", "one", "two", "two", "one"))
                    .containsExactly("1000", "1", "1001", "1002", "2", "3", "1003");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(ids(connection, "one", "two")).containsExactly("1007", "4");
        }
    }

    private static List<String> ids(Connection connection, String... schemas) throws SQLException {
        List<String> ids = new ArrayList<>();
        for (String schema : schemas) {
            Sql.execute(connection, "SET search_path = " + schema);
            ids.addAll(Sql.rows(connection, "SELECT idgen_next('orders')"));
        }
        return ids;
    }

    /** Without the fixed path, the operator would run with the rights of the functions' owner. */
    @Test
    void anOperatorOfAnotherUserIsNotUsed() throws SQLException {
        Sql.execute(database, "INSERT INTO idgen_counter (name, next_id, step) VALUES ('operator', 1, 1)");
        for (String each : List.of(
                "CREATE TABLE evidence (who text)",
                "CREATE FUNCTION spy(a varchar, b text) RETURNS boolean LANGUAGE plpgsql AS $$"
                        + " BEGIN INSERT INTO evidence VALUES (current_user); RETURN a::text = b; END $$",
                "CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = text, FUNCTION = spy)")) {
            Sql.execute(database, each);
        }
        assertThat(Sql.number(database, "SELECT idgen_next('operator')")).isOne();
        assertThat(Sql.number(database, "SELECT count(*) FROM evidence")).isZero();
        Sql.rows(database, "SELECT 1 FROM idgen_counter WHERE name = 'operator'::text");
        assertThat(Sql.number(database, "SELECT count(*) FROM evidence"))
                .as("control")
                .isPositive();
        Sql.execute(database, "DROP OPERATOR = (varchar, text)");
    }

    @Test
    void nobodyElseMayExecuteTheFunctions() throws SQLException {
        assertThat(Sql.rows(
                        database,
                        "SELECT proname FROM pg_proc WHERE proname IN ('idgen_next', 'idgen_next_range') AND (proacl IS NULL"
                                + " OR EXISTS (SELECT 1 FROM aclexplode(proacl) WHERE grantee = 0))"))
                .isEmpty();
    }
}
