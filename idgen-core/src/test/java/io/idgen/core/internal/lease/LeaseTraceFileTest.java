package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.internal.lease.LeaseSimulation.Rules;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace that a process writes to a file is read as it was, and checked. */
class LeaseTraceFileTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LeaseStore.Terms TERMS =
            new LeaseStore.Terms("shop", SnowflakeLayout.IDGEN, 0, 1, SECOND, SECOND.multipliedBy(3));
    private static final LeasedWorker.Timing TIMING = new LeasedWorker.Timing(SECOND, SECOND, SECOND, false);
    private static final LeaseProtocol PROTOCOL = Rules.AS_SHIPPED.of(TERMS, TIMING);

    @TempDir
    Path folder;

    private TraceFiles files() {
        return new TraceFiles(folder, TERMS, TIMING);
    }

    /** Writes turns that find no row. */
    private static void turns(LeaseTrace trace, int count) {
        LeaseState state = LeaseState.START;
        var none = new LeaseStore.Candidates(0, 5_000, List.of());
        for (int i = 0; i < count; i++) {
            for (LeaseEvent event : List.of(new LeaseEvent.Turn(), new LeaseEvent.Found(none, String.valueOf(i), i))) {
                trace.add(event);
                trace.add(event.apply(PROTOCOL, state));
            }
        }
    }

    @Test
    void eachEntryOfSimulatedProcessesIsReadAsItWasWritten() {
        List<Object> entries = LongStream.rangeClosed(1, 20)
                .mapToObj(seed -> LeaseSimulation.entries(seed, Flaw.NONE))
                .flatMap(List::stream)
                .toList();

        assertThat(entries.size()).isGreaterThan(10_000);
        assertThat(entries)
                .allSatisfy(
                        entry -> assertThat(RecordText.parse(entry.toString())).isEqualTo(entry));
    }

    @Test
    void aTraceIsReplayed() {
        turns(LeaseTraceFile.createIn(folder, "shop-1-"), 10);
        turns(LeaseTraceFile.createIn(folder, "other-1-"), 10);

        TraceFiles files = files();
        assertThat(files.count()).isEqualTo(1);
        assertThat(files.entries()).isEqualTo(40);
        assertThat(files.isComplete()).isTrue();
        assertThat(files.forbiddenStep()).isEmpty();
    }

    /** Also if that process has ended: in a container, each has the number 1. */
    @Test
    void aProcessWithTheNumberOfAnotherHasATraceOfItsOwn() {
        turns(LeaseTraceFile.createIn(folder, "shop-1-"), 10);
        turns(LeaseTraceFile.createIn(folder, "shop-1-"), 10);

        assertThat(files().count()).isEqualTo(2);
        assertThat(files().entries()).isEqualTo(80);
    }

    @Test
    void aLongTraceKeepsItsLastEntries() {
        int turns = LeaseTraceFile.BYTES / 200;
        turns(LeaseTraceFile.createIn(folder, "shop-1-"), turns);

        TraceFiles files = files();
        assertThat(files.isComplete()).isFalse();
        assertThat(files.entries()).isBetween(10_000L, turns * 4L - 1);
        assertThat(files.forbiddenStep()).isEmpty();
    }

    @Test
    void aStepThatTheProtocolDoesNotAllowIsFound() {
        LeaseTrace trace = LeaseTraceFile.createIn(folder, "shop-1-");
        turns(trace, 2);
        trace.add(new LeaseEvent.Turn());
        trace.add(LeaseStep.rest(LeaseState.START, SECOND));

        assertThat(files().forbiddenStep().orElseThrow()).contains("shop-1-", ".trace, entry 9", "FindRows");
    }

    @Test
    void aFolderThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> LeaseTraceFile.createIn(folder.resolve("none"), "shop-1-"))
                .hasMessageContaining("-D" + TraceFiles.FOLDER);
    }
}
