package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/internals/models.md} with the assertions of {@link LeaseModelTest}, {@link LivenessModelTest},
 * {@link TwoServersModelTest},
 * {@link WindowModelTest}, {@link SetBackModelTest}, {@link SwapModelTest} and {@link CounterModelTest}. Writes the
 * page on request.
 */
@Tag("matrix")
class ModelsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "internals", "models.md");
    private static final String COMMAND = ".ci/pages models";

    private static final String BEGINNING = """
            # Models of the lease, the swap of windows, and counters

            The protocols that keep ids unique are small enough to search all of their states. The models are test code of
            `idgen-core`. They assert the verdicts below with the exact number of states or steps:

            - `mvn -pl idgen-core test -Dtest='*ModelTest'` runs the models that each build runs: all except those of the lease
              and the counter. It prints the shortest trace to a violation for each broken variant.
            - `mvn -pl idgen-core test -Pmatrix -Dtest='*ModelTest'` runs the models of the lease and the counter.
            - `mvn -pl idgen-core test -Pproof -Dsurefire.groups=models` runs the variants with more than 300,000 states, in a few
              minutes and with 6 GB of memory.
            - `idgen-core/src/test/models/lease_cas.pml` is a small model of the lease for [Spin](https://spinroot.com). It checks
              the compare-and-set independently: three processes, no errors in 3,488,510 states. The commands are in the file.
            - `RingModelTest` runs every sequence of clock readings on the ring of `reuse` itself.
            - `mvn -pl idgen-core test -Pproof -Dsurefire.groups=lincheck` interleaves threads that claim ids from the real windows.

            ## The lease of a worker id

            The search runs the production class `LeaseProtocol`. The class is a pure function: it takes the state of a process
            and an event, and returns the next state and the next statement to send. The model supplies the row, the statements
            and an adversary.

            A row contains a token (new with each acquisition), a fence, a horizon, and the server that granted it. The horizon is
            the time up to which ids of the worker id may have been issued. Each statement is a compare-and-set:

            - **acquire** takes a row that is free or whose lease has expired, if its fence and horizon are unchanged since the
              read. It writes a new token. The window begins at the old horizon at the earliest; the new horizon is at most the
              clock plus a window. A process that still has a window queues the new one.
            - **extend** raises the horizon of the process's own row, if the row still contains its token and the horizon of its
              lease. The new horizon is at most the clock plus a window. If the database refuses the extension, the process uses
              up its window and acquires a row. If the row has a horizon that the process asked for, the process acquires it
              again by its token, and leaves the ticks in between unused.
            - **release** frees the row, if it still contains the token and the horizon of the lease. The process seals its window
              first.
            - **fence off** advances a row that another server granted. Only then can a process acquire that row.

            The adversary chooses the result of each clock reading, so a lease may expire at any moment. A process may pause for
            any time between two steps, for example between reading a row and changing it. It may also crash. A statement may be
            applied and answered. It may also stay unanswered, and be applied immediately, at any later time, or never. **The
            promise is that no tick is issued twice, and that no process stops although it has no copy.** A variant adds to this:

            """;

    private static final String HEARTBEAT = """

            `heartbeat` is a lease without reserved windows, for comparison. The row contains the last heartbeat. A process that
            finds the heartbeat old enough takes the worker id over, and issues ids by its own clock. `heartbeat+above` starts
            above the last heartbeat.

            Not in the model:

            - more than one worker id, and windows longer than 2 ticks;
            - more acquisitions than the table shows; more than one copy; more than one failover (two with `failback`);
            - more than one unanswered acquisition at a time;
            - the sequence within a tick, because it is a counter of one process that only increases;
            - the size of the gap: the model uses the highest horizon ever granted, and does not check that the largest window and
              the skew between the clocks of two servers bound it. The model of a longer window, below, checks the window.

            """;

    private static final String LIVENESS = """

            ## Ids after the faults

            In each state of the model of the lease, the faults may end. From then on, statements are answered, no statement is
            applied late, and the database's clock is right. In each tick, each process that waits for ids has a turn, and any
            process may be the first. A lease and a window are %d ticks long. **The promise is that after %d ticks each process
            generates ids, or gets the refusal that all worker ids are leased, and that one of them generates ids.** No process
            stops for good, except because a copy of it ran. A copy may instead wait for the horizon of the original's row.
            Variants are those of the lease; `stubborn` and `unfenced` break this promise.

            Not in the model: an expired timeout of a call, because time is counted in turns; two servers that answer in turn,
            which have a model of their own below.

            """.formatted(LeaseModel.WINDOW_TICKS, LivenessModel.PATIENCE_TICKS);

    private static final String TWO_SERVERS = """

            ## Two servers that answer in turn

            If the nodes of a database cluster have different identities, processes see two servers that answer in turn. In the
            model, two processes want one row and each process sees a different server. The search runs the production class
            `LeaseProtocol`. Between two ticks each process has at least one turn. **The promise is that one of them has leased
            the row after 9 ticks, and that no horizon is further ahead than the gap and the margin.** A variant changes this:

            """;

    private static final String WINDOWS = """

            ## A window that is longer than all before

            A server that takes over lacks the last commits. A process that leases a row then fences the row off by the longest
            window that it knows: its own, and those that the new server has a record of. A process announces a longer window, and
            uses the longest one that was used before until the record is as old as the lag. In the model, two processes with
            windows of 1 and 4 ticks lease one row, and the lag is 3 ticks. The search runs the production class `LeaseProtocol`.
            **The promise is that no tick is granted twice.** A variant changes this:

            """;

    private static final String SET_BACK = """

            ## A row that is set back

            A restore sets the horizon of a row back while processes run. The search runs the production class `LeaseProtocol`
            with two processes that want one row. A process compares the row with its lease. It detects that the row was set back
            if the server that granted the lease answers, and if one of these is true:

            - The generation, the fence or the horizon of the row is lower than that of the lease.
            - The row contains another token, but the fence of the lease.
            - The row contains another token, and its last grant began below the horizon of the lease.

            If the row still contains the token and the fence of the lease, the process **raises** its horizon again. Otherwise
            the process **heals** the rows: it increases the generation, and advances the horizons above all granted ticks. Both
            updates check their conditions again. A process that reads a higher generation stops using its window.

            Until a process notices the restore, ticks can be granted twice. **The promise is that no tick is granted twice after
            the heal, that a process that has read its row keeps no tick that another process was granted since, and that there
            are at most as many heals as restores.** A variant adds to this:

            """;

    private static final String SET_BACK_LIMITS = """

            Not in the model: a row that changed hands twice between two reads of a process; two restores between two reads; a
            takeover between a restore and the next renewal; a statement that the database applies late; several rows.

            """;

    private static final String SWAP = """

            ## The swap of a window and the close

            In one process, two threads issue ids, one thread refills and one thread closes the process. Each step is one access
            to shared memory. Each window has a word: the last id issued in it. Threads change the word by compare-and-set. The
            refill seals the old word, starts the new window above the last tick, and publishes it. The first refill receives more
            of the same row, the second one a row with a smaller worker id. **The promise is that no id is issued twice, that ids
            never fall (in the order of the steps that issue them), and that no id is issued at or above the horizon of a
            release.** A variant adds to this:

            """;

    private static final String SWAP_LIMITS = """

            Not in the model: more than two swaps; weak memory ordering, because all accesses to words and to the current window
            are volatile.

            """;

    private static final String COUNTERS = """

            ## The row of a counter

            A row of `idgen_segment`, `idgen_sequence` or `idgen_stepped` contains the next id, the server that granted the last
            ids, and the reach. An allocation increases the next id on three conditions: this server granted the last ids, the row
            is not below the last value that the process knows, and the window has granted no more than the reach. The first
            statement on another server skips twice the reach. A process that finds the row below the value that it knows raises
            the row to twice the reach above that value. A process that closes reads how many ids the row has granted, and hands
            unused ids back if that number is still the same. **The promise is that no id is granted twice, unless it was handed
            back.**

            A lag is 2 ticks: a replica can lack the commits of the last 2 ticks. A window is two lags long. Processes crash at
            any time. A statement without an answer is applied at any later time or never. A variant adds to this:

            """;

    private static final String COUNTER_LIMITS = """

            `counter+set-back`, `counter+twice` and `counter+back` are broken under all rules that were tried. The guarantees
            exclude them. `counter+back+differs` shows that no difference between the skips helps: before the former primary
            comes back, the other server may grant more ids than that.

            Not in the model: more than two processes; a row that was created within the lag before a takeover; two primaries at a
            time.

            `SegmentSimulationTest` runs `SegmentIdSource` itself against a simulated database in virtual time: several processes
            and rows, takeovers that lose commits, stale reads, clock steps, backups. Each seed determines one sequence of events.
            Without one of the rules, or with faults that the [guarantees](../guarantees.md) exclude, ids repeat in the same
            sequences. The statements of the simulated counters are translated from the SQL by hand. `LeaseSimulationTest` runs
            leases on the same database.

            """;

    private static final String TRACES = """
            ## The shortest trace to each violation

            """;

    private final StringBuilder page = new StringBuilder("<!-- Generated by: " + COMMAND + " -->\n\n");

    @Test
    void thePageHasTheResultsOfTheModels() throws IOException {
        page.append(BEGINNING);
        traits(LeaseModel.Trait.values());
        page.append(HEARTBEAT);
        verdicts(LeaseModelTest.VERDICTS);
        page.append(LIVENESS);
        verdicts(LivenessModelTest.VERDICTS);
        page.append(TWO_SERVERS);
        traits(TwoServersModel.Trait.values());
        page.append('\n');
        verdicts(TwoServersModelTest.VERDICTS);
        page.append(WINDOWS);
        traits(WindowModel.Trait.values());
        page.append('\n');
        verdicts(WindowModelTest.VERDICTS);
        page.append(SET_BACK);
        traits(SetBackModel.Trait.values());
        page.append(SET_BACK_LIMITS);
        verdicts(SetBackModelTest.VERDICTS);
        page.append(SWAP);
        traits(SwapModel.Trait.values());
        page.append(SWAP_LIMITS);
        verdicts(SwapModelTest.VERDICTS);
        page.append(COUNTERS);
        traits(CounterModel.Trait.values());
        page.append(COUNTER_LIMITS);
        verdicts(CounterModelTest.VERDICTS);
        page.append('\n').append(TRACES);
        traces(LeaseModelTest.VERDICTS);
        traces(LivenessModelTest.VERDICTS);
        traces(TwoServersModelTest.VERDICTS);
        traces(WindowModelTest.VERDICTS);
        traces(SetBackModelTest.VERDICTS);
        traces(SwapModelTest.VERDICTS);
        traces(CounterModelTest.VERDICTS);
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE)).as("make it again with %s", COMMAND).isEqualTo(page.toString());
    }

    private void traits(ModelVerdict.Trait[] traits) {
        page.append("| | |\n|---|---|\n");
        for (ModelVerdict.Trait trait : traits) {
            page.append("| `%s` | %s |\n".formatted(trait.text(), trait.meaning()));
        }
    }

    private void verdicts(List<ModelVerdict> verdicts) {
        page.append("| variant | size | verdict |\n|---|---|---|\n");
        for (ModelVerdict verdict : verdicts) {
            page.append("| `%s` | %s | %s |\n".formatted(verdict.variant(), verdict.size(), verdict.text()));
        }
    }

    private void traces(List<ModelVerdict> verdicts) {
        for (ModelVerdict verdict : verdicts) {
            if (!verdict.safe()) {
                page.append("- `%s`: %s\n".formatted(verdict.variant(), String.join("; ", verdict.trace())));
            }
        }
    }
}
