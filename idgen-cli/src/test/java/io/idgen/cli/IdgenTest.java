package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
    void theStackTraceIsForWhoAsks() {
        assertThat(Run.of("--verbose", "--nonsense").err()).contains("\tat picocli.");
    }

    @Test
    void theHelpNamesTheExitCodes() {
        Run run = Run.of("--help");

        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).contains("Exit codes:").contains("2   Bad input");
    }
}
