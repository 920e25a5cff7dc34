package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Two processes want one row and see two servers. The servers are nodes of a cluster with different identities, or one
 * server whose name is changed process by process. The search drives {@link LeaseProtocol} as it ships. Time passes in
 * ticks; between two ticks each process has at least one turn, in any order.
 *
 * <p>The promise: after {@value #PATIENCE_TICKS} ticks one of them has the row. No horizon is further ahead of the time
 * than the gap and the margin.
 */
final class TwoServersModel implements ModelSearch.Model<TwoServersModel.State> {

    /** What a variant changes. */
    enum Trait {
        /** Broken: a server fences off a row that another server has just fenced off. */
        REPEATED,
        /** Broken: fencing off raises a horizon that is already ahead. */
        ON_TOP
    }

    static final int WINDOW_TICKS = 3;
    private static final int GAP_TICKS = WINDOW_TICKS + 1;
    private static final int MARGIN_TICKS = 1;
    private static final int PATIENCE_TICKS = 3 * WINDOW_TICKS;
    private static final int SOME_OTHER_SERVER = 2;
    private static final long START = 10;

    /** The row. No process holds it, or its lease has expired. {@code server} has written it. */
    record Row(int server, long fence, long horizon, boolean held) {}

    /** {@code late} has a bit for each process without a turn since the last tick. {@code leased} ends the search. */
    record State(Row row, long now, int late, boolean leased) {}

    private final Set<Trait> traits;
    private final LeaseProtocol protocol;

    TwoServersModel(Set<Trait> traits) {
        this.traits = traits;
        SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, Duration.ofMillis(1), 58, 0, 3, 2);
        Duration window = Duration.ofMillis(WINDOW_TICKS);
        this.protocol = new Variant(new LeaseTerms("model", layout, 0, 1, Set.of(), window, window));
    }

    private final class Variant extends LeaseProtocol {
        Variant(LeaseTerms terms) {
            super(terms, new RowRules(terms.layout(), Duration.ofMillis(MARGIN_TICKS)));
        }

        @Override
        FenceOff fenceOff(LeaseStore.Row row, long nowMillis, Duration pause) {
            long onTop = Math.max(row.horizonMillis(), nowMillis + GAP_TICKS) + MARGIN_TICKS;
            long horizon = traits.contains(Trait.ON_TOP)
                    ? onTop
                    : rules.fencedOffMillis(row.horizonMillis(), nowMillis, GAP_TICKS);
            return new FenceOff(row, horizon, pause);
        }

        @Override
        List<LeaseStore.Row> foreign(Candidates candidates) {
            return traits.contains(Trait.REPEATED)
                    ? candidates.rows().stream()
                            .filter(row -> !row.sameServer())
                            .toList()
                    : super.foreign(candidates);
        }
    }

    @Override
    public State start() {
        return new State(new Row(SOME_OTHER_SERVER, 0, START, false), START - 1, 0, false);
    }

    @Override
    public Object key(State state) {
        return new State(
                new Row(state.row.server, 0, Math.max(state.row.horizon, state.now), state.row.held),
                state.now,
                state.late,
                state.leased);
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        if (state.leased) {
            return;
        }
        if (state.now < START) {
            begin(steps);
            return;
        }
        if (state.row.horizon > state.now + GAP_TICKS + MARGIN_TICKS) {
            steps.violation(() -> "the horizon is %d ticks ahead".formatted(state.row.horizon - state.now));
        }
        if (state.now > START + PATIENCE_TICKS) {
            steps.violation(() -> "no process has leased the row after %d ticks".formatted(PATIENCE_TICKS));
            return;
        }
        for (int process = 0; process < 2; process++) {
            turn(state, process, steps);
        }
        if (state.late == 0) {
            steps.to(new State(state.row, state.now + 1, 0b11, false), () -> "a tick passes");
        }
    }

    /** Begins with any row: written by one of the two servers or a third one, with any horizon within a window. */
    private static void begin(ModelSearch.Steps<State> steps) {
        for (int server = 0; server <= SOME_OTHER_SERVER; server++) {
            for (long ahead = 0; ahead <= WINDOW_TICKS; ahead++) {
                for (boolean held : new boolean[] {false, true}) {
                    Row row = new Row(server, 0, START + ahead, held);
                    steps.to(new State(row, START, 0b11, false), () -> "the start with %s".formatted(row));
                }
            }
        }
    }

    private void turn(State state, int process, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        LeaseStore.Row candidate =
                new LeaseStore.Row(0, row.fence, row.horizon, row.server == process, row.held, 0, null);
        LeaseEvent found = new LeaseEvent.RowsFound(new Candidates(state.now, List.of(candidate), ""), "token", 0);
        LeaseCommand command = found.apply(protocol, LeaseState.START).command();
        int late = state.late & ~(1 << process);
        if (command instanceof Acquire) {
            steps.to(new State(row, state.now, late, true), () -> "P%d acquires the row".formatted(process));
        } else if (command instanceof FenceOff fenceOff) {
            Row fenced = new Row(process, row.fence + 1, fenceOff.horizonMillis(), false);
            steps.to(
                    new State(fenced, state.now, late, false),
                    () -> "P%d fences the row off up to %d".formatted(process, fenced.horizon - state.now));
        } else {
            steps.to(new State(row, state.now, late, false), () -> "P%d waits".formatted(process));
        }
    }
}
