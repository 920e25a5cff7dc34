package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.doctor.RepairReport;
import io.idgen.core.internal.time.Characters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts that a terminal would interpret: an escape sequence, a second line, a change of the writing direction. */
class HostileTextTest {
    private static final String HOSTILE = "x\033[2J\u202Etxt\u009B1m";
    private static final String ESCAPED = "x\\u001B[2J\\u202Etxt\\u009B1m";

    @TempDir
    private Path folder;

    private static void assertHarmless(Run run) {
        assertHarmless(run, ESCAPED);
    }

    private static void assertHarmless(Run run, String shown) {
        String printed = run.out() + run.err();
        assertThat(printed).contains(shown);
        assertThat(printed.chars().filter(c -> c != '\n' && c != '\t' && Characters.isHidden(c)))
                .isEmpty();
    }

    @Test
    void aHostileOptionIsQuotedEscaped() {
        assertHarmless(Run.of("layout", "--layout", HOSTILE));
        assertHarmless(Run.of("layout", "--epoch", HOSTILE));
        assertHarmless(Run.of("inspect", HOSTILE));
        assertHarmless(Run.of("schema", "--db", HOSTILE));
        assertHarmless(Run.of("--" + HOSTILE));
        assertHarmless(Run.of("--verbose", "layout", "--layout", HOSTILE));
        assertHarmless(Run.of("--verbose", "inspect", "1", "--" + HOSTILE));
    }

    @Test
    void aHostileLineOrNameOfAFileIsQuotedEscaped() throws IOException {
        Path file = Files.write(folder.resolve("ids.txt"), List.of("1", HOSTILE));
        Run run = Run.of("analyze", file.toString());

        assertThat(run.refusal()).contains("ids.txt, line 2", "got 'x\\u001B[2J");
        assertThat(run.err()).doesNotContain("\033");
        assertHarmless(Run.of("analyze", folder.resolve(HOSTILE).toString()));
    }

    @Test
    void aHostileUrlIsNotShown() {
        assertHarmless(Run.of("doctor", "--url", "jdbc:nothing:" + HOSTILE), "jdbc:nothing:***;");
    }

    /** Written by a process with an older version, or by hand. */
    @Test
    void aHostileNameInARowDoesNotForgeALineOfTheDoctor() throws SQLException {
        String url = "jdbc:h2:mem:hostile";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(Run.of("schema", "--db", "h2").printed());
            statement.execute("INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon)"
                    + " VALUES ('" + HOSTILE + "\n! forged', 1, 'x', 0, 0, 0)");

            Run run = Run.of("doctor", "--url", url, "--user", "sa");

            assertHarmless(run);
            assertThat(run.out()).contains("! forged").doesNotContain("\n! forged");
        }
    }

    @Test
    void aReportOfARepairEscapesNamesInRows() {
        assertThat(new RepairReport.Change("idgen_counter", HOSTILE, "1", "2"))
                .hasToString("idgen_counter " + ESCAPED + ": 1 -> 2");
    }
}
