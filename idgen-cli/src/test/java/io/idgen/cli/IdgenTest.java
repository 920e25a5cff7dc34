package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdgenTest {

    @Test
    void anUnknownOptionIsOneLineThatNamesTheHelp() {
        Run run = Run.of("--nonsense");

        assertThat(run.exitCode()).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("'--nonsense'").contains("see idgen --help");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void unknownCommandsAndOptionsNameTheNearest() {
        assertThat(Run.of("inspct", "5").refusal()).contains("'inspct'", "did you mean inspect");
        assertThat(Run.of("repair", "horizon").refusal()).contains("'horizon'", "did you mean horizons");
        assertThat(Run.of("doctor", "--stirct").refusal()).contains("'--stirct'", "did you mean --strict");
    }

    @Test
    void theStackTraceIsForWhoAsks() {
        assertThat(Run.of("--verbose", "--nonsense").err()).contains("\tat picocli.");
    }

    @Test
    void everyCommandHasHelpWithItsExitCodesAndPrintsJson() {
        Idgen.commandLine().getSubcommands().forEach((name, command) -> {
            if (List.of("help", "generate-completion", "repair").contains(name)) {
                return;
            }
            assertThat(Run.of(name, "--help").printed())
                    .as(name)
                    .contains("Usage: idgen " + name)
                    .contains("Exit codes:")
                    .contains("--json");
        });
        assertThat(Run.of("repair", "horizons", "--help").printed()).contains("--json", "Exit codes:");
    }

    @Test
    void noCommandTakesAPasswordAsAnArgument() {
        assertThat(Run.of("doctor", "--url", "jdbc:h2:mem:x", "--password=secret")
                        .refusal())
                .doesNotContain("secret")
                .contains("IDGEN_JDBC_PASSWORD", "--password-file");
        assertThat(Run.of("doctor", "--url", "jdbc:h2:mem:x", "--password-file=/no/such/file")
                        .refusal())
                .contains("cannot read the password from /no/such/file");
    }

    /** The user has put a password where the command expects none. */
    @ParameterizedTest
    @CsvSource({
        "doctor --redis-uri redis://:hush@localhost",
        "doctor --redis-uri=redis://:hush@localhost",
        "doctor redis://:hush@localhost",
        "doctor hush",
        "doctor --pasword=hush",
        "doctor --url jdbc:h2:mem:x jdbc:mysql://u:hush@h/shop",
        "doctor --url jdbc:unknown:u/hush",
        "doctor --url jdbc:postgresql://u:hush@localhost/shop",
        "doctor --url jdbc:postgresql://u:p@hush@localhost:1/shop",
        "doctor --url jdbc:mariadb://address=(host=localhost)(port=1)(password=hush)/shop",
        "doctor --redis redis://:p@hush@localhost:1",
        "doctor --redis redis://:p#hush@localhost:1",
        "doctor --redis redis://localhost:1?password=hush",
        "inspect --layout js-safe --redis hush 5",
        "--verbose doctor --redis-uri redis://:hush@localhost",
        "--verbose doctor --url jdbc:postgresql://u:hush@localhost/shop",
    })
    void valuesThatMayBePasswordsAreNotRepeated(String args) {
        Run run = Run.of(args.split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(run.out() + run.err()).isNotEmpty().doesNotContain("hush");
    }

    /** The driver would log the part of the URL that it takes for a host. */
    @Test
    void aLoginInFrontOfPostgreSqlsHostDoesNotReachTheDriver() {
        assertThat(Run.of("doctor", "--url", "jdbc:postgresql://u:hush@localhost/shop")
                        .refusal())
                .contains("--url must have no user and password in front of the host");
    }

    @Test
    void completesForBash() {
        assertThat(Run.of("generate-completion").printed())
                .contains("complete -F _complete_idgen")
                .contains("--layout");
    }
}
