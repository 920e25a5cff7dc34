package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of an outage. */
class OutageOutcomeTest {

    private static Outage.Outcome outcome(long failed, double servedSeconds) {
        return new Outage.Outcome(3, 0, 600, failed, servedSeconds, 0, "", new Ledger.Duplicates(0, 0, List.of()));
    }

    @Test
    void aCallThatWaitsForTheWholeOutageHasGivenNothing() {
        assertThat(outcome(0, 0).neverCeased()).isFalse();
    }

    @Test
    void idsThatCameAllTheTimeNeverCeased() {
        assertThat(outcome(0, 3).neverCeased()).isTrue();
    }
}
