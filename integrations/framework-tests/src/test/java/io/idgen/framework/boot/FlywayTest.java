package io.idgen.framework.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** An application whose Flyway creates only the application's own tables. */
class FlywayTest {
    private final Database database = TestDatabase.POSTGRESQL.create();

    @AfterEach
    void drop() {
        database.close();
    }

    /** Returns the log of a start, whether it succeeds or not. */
    private String logOfStart(String ddl) {
        PrintStream out = System.out;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run(
                            "--spring.main.banner-mode=off",
                            "--spring.datasource.url=" + database.plainUrl(),
                            "--spring.datasource.username=" + database.user(),
                            "--spring.datasource.password=" + database.password(),
                            "--spring.flyway.locations=classpath:application-migrations",
                            "--spring.jpa.hibernate.ddl-auto=" + ddl)
                    .close();
        } catch (RuntimeException e) {
            e.printStackTrace(System.out);
        } finally {
            System.setOut(out);
        }
        return written.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate"})
    void theStartNamesTheMissingTableOfWorkerIdsAndTheStatementsThatCreateIt(String ddl) {
        assertThat(logOfStart(ddl)).contains("idgen_worker").contains("CREATE TABLE IF NOT EXISTS idgen_worker");
    }
}
