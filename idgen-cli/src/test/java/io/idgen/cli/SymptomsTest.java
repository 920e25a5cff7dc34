package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SymptomsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            IDGEN-604        | Roll back the deploy
            604              | idgen repair layout
            IDGEN-603        | Stop the process, and its copy
            idgen-609        | Look for equal ids
            IDGEN-105        | Set idgen.jdbc.data-source
            305              | idgen grow
            restored backup  | --backup-time
            IDGEN-602        | ## The database's clock stepped back
            301              | whether it can connect
            duplicate keys   | Re-key
            slow sequence    | pg_blocking_pids
            first id         | the first id comes at
            DEGRADED         | Do not restart the process
            failback         | repair after-promotion
            replica promoted | idgen repair after-promotion --url
            native-sequence  | SETVAL
            roll back        | it changed the layout
            """)
    void aSymptomHasItsSection(String symptom, String text) {
        Run run = Run.of("doctor", "--symptom", symptom);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).contains(text);
    }

    @Test
    void anUnknownSymptomListsTheSections() {
        assertThat(Run.of("doctor", "--symptom", "toothache").refusal())
                .contains("no section has 'toothache'", "Duplicate keys after a failover", "Change the layout");
    }
}
