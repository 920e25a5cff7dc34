package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseCommand.Look;
import io.idgen.core.internal.lease.LeaseCommand.Renew;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two processes with different windows lease one row. A replica takes over, and lacks any number of the commits of the
 * last lag: grants, and the records of the windows. The search drives {@link LeaseProtocol} as it ships. A turn is one
 * step, and any process may take the row at any time.
 *
 * <p>The promise: no tick is granted twice.
 */
final class WindowModel implements ModelSearch.Model<WindowModel.State> {

    /** What a variant omits. */
    enum Trait {
        /** Broken: a longer window is used as soon as it is announced. */
        AT_ONCE,
        /** Broken: a longer window is used one tick before it was announced for the lag. */
        EARLY
    }

    private static final int LAG = 3;
    private static final int WINDOW = 1;
    private static final int LONGER = 4;
    static final int TICKS = 6;
    static final int ACQUISITIONS = 2;

    /** The worker id's row; {@code used} is the longest window that was used. */
    record Row(int server, long fence, @Nullable String token, long horizon, int used) {}

    /** The row, and the longest window that was announced. */
    record Rows(Row row, int announced) {}

    /** An earlier state of the rows, which a commit in this tick replaced. */
    record Older(Rows rows, int tick) {}

    /** {@code granted} has a bit for each tick that a process was granted. */
    record State(
            Rows rows,
            Set<Older> older,
            int server,
            int now,
            List<LeaseState> processes,
            long granted,
            int acquisitions,
            boolean mayTakeOver) {

        State with(Rows changed) {
            Set<Older> all = new HashSet<>(older);
            if (mayTakeOver && !changed.equals(rows)) {
                all.add(new Older(rows, now));
            }
            return new State(changed, all, server, now, processes, granted, acquisitions, mayTakeOver);
        }

        State with(Row row) {
            return with(new Rows(row, rows.announced));
        }

        State with(int i, LeaseState process) {
            List<LeaseState> all = new ArrayList<>(processes);
            all.set(i, process);
            return new State(rows, older, server, now, all, granted, acquisitions, mayTakeOver);
        }

        State granting(long ticks) {
            return new State(rows, older, server, now, processes, granted | ticks, acquisitions, mayTakeOver);
        }

        State acquired() {
            return new State(rows, older, server, now, processes, granted, acquisitions - 1, mayTakeOver);
        }

        State atTick(int tick) {
            Set<Older> kept = new HashSet<>(older);
            kept.removeIf(each -> each.tick <= tick - LAG);
            return new State(rows, kept, server, tick, processes, granted, acquisitions, mayTakeOver);
        }

        State takenOver(Rows found) {
            return new State(found, Set.of(), server + 1, now, processes, granted, acquisitions, false);
        }
    }

    private final Set<Trait> traits;
    private final List<LeaseProtocol> protocols;

    WindowModel(Set<Trait> traits) {
        this.traits = traits;
        this.protocols = List.of(protocol(WINDOW), protocol(LONGER));
    }

    private LeaseProtocol protocol(int window) {
        int lag = traits.contains(Trait.EARLY) ? LAG - 1 : LAG;
        Terms terms = terms(window);
        RowRules rules = new RowRules(terms.layout(), Duration.ZERO);
        return new LeaseProtocol(terms, Duration.ofSeconds(1), Duration.ofMillis(lag), rules);
    }

    private static Terms terms(int window) {
        SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, Duration.ofMillis(1), 58, 0, 3, 2);
        return new Terms("model", layout, 0, 1, Duration.ofMillis(window), Duration.ofMillis(window));
    }

    private static int window(int process) {
        return process == 0 ? WINDOW : LONGER;
    }

    @Override
    public State start() {
        Rows rows = new Rows(new Row(0, 0, null, 0, WINDOW), WINDOW);
        return new State(rows, Set.of(), 0, 0, List.of(LeaseState.START, LeaseState.START), 0, ACQUISITIONS, true);
    }

    /** {@inheritDoc} Ticks in the past are not granted any more, so it does not matter whether they were. */
    @Override
    public Object key(State state) {
        return state.granting((1L << state.now) - 1);
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < protocols.size(); i++) {
            int process = i;
            turn(state, i, steps);
            if (!state.processes.get(i).equals(LeaseState.START)) {
                steps.to(state.with(i, LeaseState.START), () -> "P%d crashes".formatted(process));
            }
        }
        if (state.now < TICKS) {
            steps.to(state.atTick(state.now + 1), () -> "tick %d".formatted(state.now + 1));
        }
        if (state.mayTakeOver) {
            Set<Rows> found = new HashSet<>(Set.of(state.rows));
            state.older.forEach(older -> found.add(older.rows));
            for (Rows each : found) {
                steps.to(state.takenOver(each), () -> "a replica takes over with %s".formatted(each));
            }
        }
    }

    private void turn(State from, int i, ModelSearch.Steps<State> steps) {
        LeaseProtocol protocol = protocols.get(i);
        State state = from;
        LeaseStep step = protocol.turn(state.processes.get(i));
        StringBuilder words = new StringBuilder("P" + i);
        while (step.command() != null) {
            LeaseCommand command = step.command();
            LeaseEvent answer;
            if (command instanceof FindRows) {
                if (state.rows.announced < window(i)) {
                    state = state.with(new Rows(state.rows.row, window(i)));
                    words.append(" announces ").append(window(i)).append(" ticks,");
                }
                answer = new LeaseEvent.Found(candidates(state, i), "P" + i + " " + state.rows.row.fence, 0);
            } else if (command instanceof Look look) {
                answer = new LeaseEvent.Looked(look.lease(), view(state, look));
            } else if (command instanceof FenceOff fenceOff) {
                Row row = state.rows.row;
                state = state.with(new Row(state.server, row.fence + 1, null, fenceOff.horizonMillis(), row.used));
                words.append(" fences off to ").append(fenceOff.horizonMillis()).append(',');
                answer = new LeaseEvent.Answered(fenceOff, true);
            } else if (command instanceof Acquire acquire) {
                if (state.acquisitions == 0) {
                    return;
                }
                long horizon = acquire.lease().horizonMillis();
                words.append(" acquires [%d,%d),".formatted(acquire.startMillis(), horizon));
                state = granted(state, acquire.startMillis(), horizon, words, steps)
                        .acquired();
                state = state.with(new Row(
                        state.server,
                        acquire.lease().fence(),
                        acquire.lease().token(),
                        horizon,
                        used(state, acquire.allowance().window())));
                answer = new LeaseEvent.Answered(acquire, true);
            } else if (command instanceof Extend extend) {
                long horizon = extend.horizonMillis();
                words.append(" extends to %d,".formatted(horizon));
                state = granted(state, extend.lease().horizonMillis(), horizon, words, steps);
                Row row = state.rows.row;
                state = state.with(new Row(row.server, row.fence, row.token, horizon, used(state, extend.window())));
                answer = new LeaseEvent.Answered(extend, true);
            } else {
                answer = new LeaseEvent.Answered((Renew) command, true);
            }
            step = answer.apply(protocol, state.processes.get(i));
            state = state.with(i, step.state());
        }
        steps.to(state.with(i, step.state()), () -> words + " and waits");
    }

    private Candidates candidates(State state, int i) {
        Row row = state.rows.row;
        int known = Math.max(window(i), Math.max(state.rows.announced, row.used));
        LeaseStore.Row candidate =
                new LeaseStore.Row(0, row.fence, row.horizon, row.server == state.server, row.token != null);
        return new Candidates(
                state.now, known, traits.contains(Trait.AT_ONCE) ? Long.MAX_VALUE : row.used, List.of(candidate));
    }

    private static LeaseView view(State state, Look look) {
        Row row = state.rows.row;
        boolean held = row.fence == look.lease().fence() && look.lease().token().equals(row.token);
        return new LeaseView(state.now, held, row.horizon, row.server == state.server);
    }

    private static int used(State state, Duration window) {
        return Math.max(state.rows.row.used, (int) window.toMillis());
    }

    private static State granted(
            State state, long first, long end, StringBuilder words, ModelSearch.Steps<State> steps) {
        long ticks = (1L << end) - (1L << first);
        if ((state.granted & ticks) != 0) {
            steps.violation(() -> words + " which were granted before");
        }
        return state.granting(ticks);
    }
}
