package io.idgen.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientCommandTest {

    @ParameterizedTest
    @CsvSource({
        "postgresql, jdbc:postgresql://db.example:5433/shop?ssl=true, app, psql --host=db.example --port=5433 --username=app --dbname=shop",
        "postgresql, jdbc:postgresql://db.example/shop, app, psql --host=db.example --username=app --dbname=shop",
        "postgresql, jdbc:postgresql:shop, , psql",
        "mariadb, jdbc:mariadb://10.0.0.7:3306/shop, app@10.0.0.8, mariadb --host=10.0.0.7 --port=3306 --user=app --password --database=shop",
        "mysql, jdbc:mysql://db/shop;x, app, mysql --host=db --user=app --password --database=shop",
    })
    void theClientIsCalledWithWhatTheConnectionTells(String dialect, String url, String user, String client) {
        assertThat(ClientCommand.of(Dialects.named(dialect), url, user, List.of("CREATE TABLE t (id INT)", "DROP x")))
                .isEqualTo(client + " <<'SQL'\nCREATE TABLE t (id INT);\nDROP x;\nSQL\n");
    }

    /** Users paste the command into a shell. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/$(reboot), app",
        "jdbc:postgresql://db`x`/shop, 'a b'",
        "jdbc:postgresql://db:1/x y, '$USER'"
    })
    void whatAShellWouldReadOtherwiseIsLeftOut(String url, String user) {
        assertThat(ClientCommand.of(Dialects.named("postgresql"), url, user, List.of()))
                .doesNotContain("$", "`", "x y", "a b");
    }

    @ParameterizedTest
    @CsvSource({"h2, jdbc:h2:mem:shop", "sqlite, jdbc:sqlite:shop.db"})
    void aDatabaseWithoutAClientHasTheStatementsAlone(String dialect, String url) {
        assertThat(ClientCommand.of(Dialects.named(dialect), url, "sa", List.of("CREATE TABLE t (id INT)")))
                .isEqualTo("CREATE TABLE t (id INT);\n");
    }
}
