package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/internals/models.md} with the assertions of {@link LeaseModelTest}, {@link TwoServersModelTest},
 * {@link SetBackModelTest}, {@link SwapModelTest} and {@link CounterModelTest}. Writes the page on request.
 */
@Tag("matrix")
class ModelsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "internals", "models.md");
    private static final String COMMAND =
            "mvn -B -pl idgen-core test -Pmatrix -Dtest=ModelsPageTest -Dmodels.page=write";

    private static final String BEGINNING = """
            # Models of the lease, the reservation, the swap of windows, and counters

            What keeps ids apart is small enough to go through every state of it. The models are test code of `idgen-core`;
            each build asserts the verdicts below with their exact numbers of states or steps, those with more than 300,000
            states on request:

            - `mvn -pl idgen-core test -Dtest='*ModelTest'` runs the models and prints the shortest way to each broken variant.
            - `mvn -pl idgen-core test -Pmodels` runs the large ones, in a few minutes and with 6 GB of memory.
            - `idgen-core/src/test/models/lease_cas.pml` is a small lease for [Spin](https://spinroot.com), an independent look at
              the compare-and-set: three processes, no errors in 3,488,510 states. The commands are in the file.
            - `RingModelTest` runs every sequence of clock readings on the ring of `reuse` itself;
              `mvn -pl idgen-core test -Plincheck` interleaves the threads that claim ids from the real windows.

            ## The lease of a worker id

            The search runs the class `LeaseProtocol` as it ships. The class is a pure function: from what a process knows and an
            event to what it knows then and the statement that it sends next. The model supplies the row, the statements and an
            adversary. A row has a token (new with each acquisition), a fence, a horizon, and the server that granted it. The
            horizon is the time up to which ids of the worker id may have been issued. The statements are:

            - **acquire** a row that is free or whose lease ran out: a new token, the horizon from what was read to at most the
              clock plus a window, if fence and horizon are as they were read. A process that still has a window queues the new one.
            - **extend** one's own row: the horizon from where it was left, if it still stands there under one's token, to at
              most the clock plus a window. A process that is refused uses up the window it has, and acquires.
            - **release**: seal the window, then give the row back, if its horizon is as it was left.
            - **fence off** a row that another server granted, before it can be acquired.

            The adversary decides what each reading of a clock returns, so a lease may end at any moment. A process may stop for
            any time between two steps, also between reading a row and changing it, and crash. A statement may be applied and
            answered, or stay unanswered and be applied at once, at any later time, or never. **The promise is that no tick is
            issued twice.** A variant adds to this:

            """;

    private static final String HEARTBEAT = """

            `heartbeat` is no window at all, to compare with: the row has the last heartbeat, whoever finds it old enough takes
            the worker id over, and issues by its own clock; `heartbeat+above` starts above the last heartbeat.

            Not in the model: more than one worker id; windows longer than 2 ticks; more acquisitions, copies and failovers than
            each line says (one copy, one failover; two with `failback`); more than one unanswered acquisition at a time; the
            sequence within a tick, a counter of one process that only rises. The gap is the highest horizon ever granted: that
            the largest window and the skew between two servers' clocks bound it is not checked. Nor is whether anybody gets ids
            at all.

            """;

    private static final String TWO_SERVERS = """

            ## Two servers that answer in turn

            Nodes of a cluster with an identity each look like two servers that take turns. Two processes want one row, and the
            search runs `LeaseProtocol` as it ships. Between two ticks each process has at least one turn. **The promise is that
            one of them has the row after 9 ticks, and that no horizon runs away.** A variant changes this:

            """;

    private static final String SET_BACK = """

            ## A row that is set back

            A restore gives a row an earlier horizon while processes run. The search runs `LeaseProtocol` as it ships, with two
            processes that want one row. A process finds by its own row that it was set back: a lower generation, fence or
            horizon than that of its lease; or another token with its own fence, or with a last grant that began below its
            horizon. The server that granted its window must be the one that answers. It **raises** the row again if the row
            still has its token and fence. Otherwise it **heals** the rows: a higher generation, and horizons above all that was
            granted. Both conditions are part of the update. Who meets a higher generation discards its window.

            Ticks can be granted twice until a process has noticed the restore. **The promise is that none is after the heal,
            that a process which has looked at its row keeps no tick that another was granted since, and that there are no more
            heals than restores.** A variant adds to this:

            """;

    private static final String SET_BACK_LIMITS = """

            Not in the model: a row that changed hands twice between two looks of a process; two restores between two looks; a
            takeover after a restore and before the next renewal; a statement that the database applies late; several rows.

            """;

    private static final String RESERVATION = """

            ## The reservation of a fixed worker id

            A fixed worker id beside leased ones is reserved in its row. The search runs the class `ReservationProtocol` as it
            ships, with two processes that lease the worker id, and one or two that have it fixed. A fixed process reads the row,
            then reserves it, renews the reservation, or leaves the row reserved for nobody. Each of these updates requires that
            the row is as it was read. Any other step may happen between a read and its update.

            A fixed process issues ids by its own clock, which shows any tick up to 1 ahead of the database's. A lease may end at
            any moment; a reservation does not, as long as its process renews it in time. The model assumes that it does: the
            database's time does not pass while a renewal is due. **The promise is that no tick is issued twice.** A variant adds
            to this:

            """;

    private static final String RESERVATION_LIMITS = """

            Not in the model: outages and lost answers of the database, failovers, several generators of one process that share
            a worker id, and what a lease does besides acquiring and extending, which the model above has.

            """;

    private static final String SWAP = """

            ## The swap of a window and the close

            Within a process, two threads issue, one refills and one closes; each step is one access to shared memory. A window
            has a word, the last id issued in it, which is compared and set. The refill seals the old word, begins the new window
            above the last tick, and publishes it: first more of the same row, then a row with a smaller worker id. **The
            promise is that no id is issued twice, that ids never fall (in the order of the steps that issue them), and that
            nothing is issued at or above the horizon of a release.** A variant adds to this:

            """;

    private static final String SWAP_LIMITS = """

            Not in the model: more than two swaps; memory that shows two threads different orders (all accesses to words and to
            the current window are volatile).

            """;

    private static final String COUNTERS = """

            ## The row of a counter

            A row of `idgen_segment`, `idgen_sequence` or `idgen_stepped` has the next id, the server that granted the last ids, and
            the reach. An allocation raises the row if this server granted the last ids, if the row is not below what its process
            knows, and if the window has granted no more than the reach. The first statement on another server skips twice the
            reach. A process that finds the row below what it knows raises it above that, by twice the reach. **The promise is that
            no id is granted twice, unless it was handed back.** A lag is 2 ticks: a replica can lack the commits of the last 2. A
            window is two lags long. Processes crash at any time, and a statement without an answer is applied at any later time or
            never. A variant adds to this:

            """;

    private static final String COUNTER_LIMITS = """

            `counter+set-back` and `counter+twice` are broken under every rule that was tried: the guarantees exclude them. Not in the
            model: more than two processes; a row that was made within the lag before a takeover; two primaries at a time.

            `SegmentSimulationTest` runs `SegmentIdSource` itself against a simulated database in virtual time: several processes and
            rows, takeovers that lose commits, stale reads, clock steps, backups. Each seed is one course of events. Without one of
            the rules, and with faults that the [guarantees](../guarantees.md) exclude, ids repeat in the same courses. The statements of
            the simulated counters are translated from the SQL by hand. `LeaseSimulationTest` runs leases on the same database.

            """;

    private static final String TRACES = """
            ## The shortest ways to what is broken

            """;

    private final StringBuilder page = new StringBuilder("<!-- Generated by: " + COMMAND + " -->\n\n");

    @Test
    void thePageSaysWhatTheModelsShow() throws IOException {
        page.append(BEGINNING);
        traits(LeaseModel.Trait.values());
        page.append(HEARTBEAT);
        verdicts(LeaseModelTest.VERDICTS);
        page.append(TWO_SERVERS);
        traits(TwoServersModel.Trait.values());
        page.append('\n');
        verdicts(TwoServersModelTest.VERDICTS);
        page.append(SET_BACK);
        traits(SetBackModel.Trait.values());
        page.append(SET_BACK_LIMITS);
        verdicts(SetBackModelTest.VERDICTS);
        page.append(RESERVATION);
        traits(ReservationModel.Trait.values());
        page.append(RESERVATION_LIMITS);
        verdicts(ReservationModelTest.VERDICTS);
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
        traces(ReservationModelTest.VERDICTS);
        traces(TwoServersModelTest.VERDICTS);
        traces(SetBackModelTest.VERDICTS);
        traces(SwapModelTest.VERDICTS);
        traces(CounterModelTest.VERDICTS);
        if ("write".equals(System.getProperty("models.page"))) {
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
