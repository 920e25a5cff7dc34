package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.LeaseCommand.LookAtRow;
import io.idgen.core.internal.lease.LeaseCommand.Raise;
import io.idgen.core.internal.lease.LeaseStep.Notice;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row of two processes that is set back. A restore on the same server, a takeover that loses commits, or a read
 * that is out of date shows an earlier state. The search drives {@link LeaseProtocol} as it ships. Each reading of a
 * clock may return any tick, and a lease may end at any moment.
 *
 * <p>Ticks that are granted twice before a process notices the restore cannot be prevented. The promise:
 * <ul>
 *   <li>After the rows are healed, no tick is granted that was granted before. Without a restore, no tick is ever
 *       granted twice.
 *   <li>A process that has read its row on the primary keeps no tick that another process was granted since. The
 *       exception is a row that changed hands twice between two reads.
 *   <li>There are at most as many heals as restores.
 * </ul>
 */
final class SetBackModel implements ModelSearch.Model<SetBackModel.State> {

    /** What may happen, and what a variant omits. */
    enum Trait {
        /** Once, a restore sets the row to any earlier state. */
        RESTORE,
        /** The restore sets server_id to null in the same transaction. */
        STAMP,
        /** One read returns any earlier state of the row. */
        STALE,
        /** A replica takes over once, and lacks any number of the last commits. */
        TAKEOVER,
        /** Broken: a process does not detect that its row was set back. */
        BLIND,
        /** Broken: a heal does not check the row again, and relies on the earlier read. */
        TRUSTING,
        /** Broken: the condition does not compare the server with the one that granted the lease. */
        FORGETFUL,
        /** Broken: a heal does not advance the horizons. */
        LOW
    }

    static final int TICKS = 4;
    static final int WINDOW_TICKS = 2;
    private static final int ACQUISITIONS = 3;
    private static final int NO_SERVER = -1;

    /** The worker id's row. */
    record Row(int token, long fence, long horizon, long grantedFrom, int server, long generation) {}

    /** Whether another process was granted ticks of this one, or this one was granted ticks of another process. */
    enum Mark {
        NONE,
        ROBBED,
        ROBBER
    }

    /** A process, with a bit for each tick that it may still use. */
    record Process(LeaseState lease, int ticks, Mark mark) {
        static final Process FRESH = new Process(LeaseState.START, 0, Mark.NONE);

        Process marked(Mark newMark) {
            return new Process(lease, ticks, newMark);
        }
    }

    /**
     * The state of the model.
     *
     * @param older earlier states of the row that a read may still show
     * @param highest the highest horizon ever granted
     * @param granted a bit for each tick that was granted to any process
     */
    record State(
            Row row,
            List<Row> older,
            int server,
            List<Process> processes,
            long highest,
            int granted,
            boolean healed,
            int acquisitions,
            int restores,
            int stale,
            int takeovers,
            int heals) {

        State with(int i, Process process) {
            List<Process> changed = new ArrayList<>(processes);
            changed.set(i, process);
            return new State(
                    row,
                    older,
                    server,
                    changed,
                    highest,
                    granted,
                    healed,
                    acquisitions,
                    restores,
                    stale,
                    takeovers,
                    heals);
        }

        State with(Row changed) {
            boolean visible = restores + stale + takeovers > 0;
            List<Row> before = visible && !changed.equals(row)
                    ? Stream.concat(older.stream(), Stream.of(row)).distinct().toList()
                    : older;
            return new State(
                    changed,
                    visible ? before : List.of(),
                    server,
                    processes,
                    highest,
                    granted,
                    healed,
                    acquisitions,
                    restores,
                    stale,
                    takeovers,
                    heals);
        }

        State afterGrant(long from, long to, boolean acquired) {
            return new State(
                    row,
                    older,
                    server,
                    processes,
                    Math.max(highest, to),
                    granted | bits(from, to),
                    healed,
                    acquisitions - (acquired ? 1 : 0),
                    restores,
                    stale,
                    takeovers,
                    heals);
        }

        State afterHeal() {
            return new State(
                    row,
                    older,
                    server,
                    processes,
                    highest,
                    granted,
                    true,
                    acquisitions,
                    restores,
                    stale,
                    takeovers,
                    heals + 1);
        }

        State afterRestore(Row restored) {
            return new State(
                    restored,
                    stale + takeovers > 0 ? older : List.of(),
                    server,
                    processes,
                    highest,
                    granted,
                    false,
                    acquisitions,
                    restores - 1,
                    stale,
                    takeovers,
                    heals);
        }

        State afterStaleLook() {
            return new State(
                    row,
                    older,
                    server,
                    processes,
                    highest,
                    granted,
                    healed,
                    acquisitions,
                    restores,
                    stale - 1,
                    takeovers,
                    heals);
        }

        State afterTakeover(Row replica) {
            return new State(
                    replica,
                    older,
                    server + 1,
                    processes,
                    highest,
                    granted,
                    healed,
                    acquisitions,
                    restores,
                    stale,
                    takeovers - 1,
                    heals);
        }
    }

    private final Set<Trait> traits;
    private final LeaseProtocol protocol;

    /** What the row that was found last is fenced off above, in place of the gap. */
    private long beyond;

    SetBackModel(Set<Trait> traits) {
        this.traits = traits;
        SnowflakeLayout layout = new SnowflakeLayout(Instant.EPOCH, Duration.ofMillis(1), 58, 0, 3, 2);
        Duration window = Duration.ofMillis(WINDOW_TICKS);
        LeaseTerms terms = new LeaseTerms("model", layout, 0, 1, Set.of(), window, window);
        this.protocol = new LeaseProtocol(terms, new RowRules(layout, Duration.ZERO)) {
            @Override
            FenceOff fenceOff(LeaseStore.Row row, long nowMillis, Duration pause) {
                return new FenceOff(row, Math.max(row.horizonMillis(), Math.max(nowMillis, beyond)), pause);
            }
        };
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    private static int bits(long from, long to) {
        return (1 << to) - (1 << from);
    }

    @Override
    public State start() {
        return new State(
                new Row(0, 0, 0, 0, 0, 0),
                List.of(),
                0,
                List.of(Process.FRESH, Process.FRESH),
                0,
                0,
                false,
                ACQUISITIONS,
                has(Trait.RESTORE) ? 1 : 0,
                has(Trait.STALE) ? 1 : 0,
                has(Trait.TAKEOVER) ? 1 : 0,
                0);
    }

    @Override
    public Object key(State state) {
        return state;
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < 2; i++) {
            turn(state, i, steps);
            int crashed = i;
            if (!state.processes.get(i).equals(Process.FRESH)) {
                steps.to(state.with(i, Process.FRESH), () -> "P%d crashes".formatted(crashed));
            }
        }
        if (state.restores > 0) {
            for (Row old : state.older) {
                Row restored = has(Trait.STAMP)
                        ? new Row(old.token, old.fence, old.horizon, old.grantedFrom, NO_SERVER, old.generation)
                        : old;
                steps.to(state.afterRestore(restored), () -> "a restore sets the row to " + restored);
            }
        }
        if (state.takeovers > 0) {
            Stream.concat(state.older.stream(), Stream.of(state.row))
                    .forEach(replica -> steps.to(
                            state.afterTakeover(replica),
                            () -> "a replica takes over as server %d with %s".formatted(state.server + 1, replica)));
        }
    }

    /**
     * Runs a turn of a process for each reading of the clock. Changes during the turn have the same effect as a stale
     * read.
     */
    private void turn(State state, int i, ModelSearch.Steps<State> steps) {
        LeaseCommand first = protocol.turn(state.processes.get(i).lease).command();
        for (long now = 0; now < TICKS; now++) {
            if (first instanceof FindRows) {
                find(state, i, now, steps);
            } else if (first instanceof LookAtRow look) {
                look(state, i, look, now, state.row, steps);
                if (state.stale > 0) {
                    for (Row old : state.older) {
                        look(state.afterStaleLook(), i, look, now, old, steps);
                    }
                }
            }
        }
    }

    private void find(State state, int i, long now, ModelSearch.Steps<State> steps) {
        Row row = state.row;
        boolean sameServer = row.server == state.server;
        LeaseStore.Row candidate = new LeaseStore.Row(
                0, row.fence, row.horizon, sameServer, row.token > 0, row.generation, "server " + row.server);
        beyond = state.highest;
        Candidates candidates = new Candidates(now, List.of(candidate), "");
        String token = String.valueOf(1 + ACQUISITIONS - state.acquisitions);
        follow(state, i, new LeaseEvent.RowsFound(candidates, token, 0), () -> "P%d finds the row".formatted(i), steps);
    }

    private void look(State state, int i, LookAtRow look, long now, Row seen, ModelSearch.Steps<State> steps) {
        boolean fresh = seen.equals(state.row);
        Lease lease = look.lease();
        LeaseView view = new LeaseView(
                now,
                seen.token == token(lease) && seen.fence == lease.fence(),
                seen.horizon,
                seen.server == state.server,
                seen.generation,
                !has(Trait.BLIND) && isSetBack(seen, lease, state.server));
        State after = follow(
                state,
                i,
                new LeaseEvent.Looked(lease, view),
                () -> "P%d reads %s%s".formatted(i, seen, fresh ? "" : " (out of date)"),
                steps);
        if (after == null || !fresh) {
            return;
        }
        Process process = after.processes.get(i);
        boolean keeps =
                process.ticks != 0 && (process.mark == Mark.ROBBED || (process.mark == Mark.ROBBER && after.healed));
        if (keeps) {
            steps.violation(() -> "P%d has read its row and keeps ticks that another process also has".formatted(i));
        }
    }

    /**
     * Runs the statements of a turn; each is applied and answered. Returns the state after the turn, or null if the
     * search does not continue it.
     */
    private @Nullable State follow(
            State state, int i, LeaseEvent event, Supplier<String> words, ModelSearch.Steps<State> steps) {
        LeaseStep step = event.apply(protocol, state.processes.get(i).lease);
        State next = state.with(i, after(state.processes.get(i), step));
        LeaseCommand command = step.command();
        Row row = next.row;
        if (command == null || command instanceof LeaseCommand.Renew) {
            steps.to(next, () -> words.get() + ": " + step.notice());
            return next;
        }
        if (command instanceof FenceOff fenceOff) {
            long horizon = fenceOff.horizonMillis();
            State advanced = next.with(new Row(0, row.fence + 1, horizon, horizon, next.server, row.generation));
            steps.to(advanced, () -> words.get() + ", and advances it to " + horizon);
            return advanced;
        }
        if (command instanceof Acquire acquire) {
            long end = acquire.lease().horizonMillis();
            if (next.acquisitions == 0 || end > TICKS || row.server != next.server) {
                return null;
            }
            int token = token(acquire.lease());
            State acquired = granted(
                    next.with(new Row(token, row.fence + 1, end, row.horizon, row.server, row.generation)),
                    i,
                    acquire.startMillis(),
                    end,
                    true,
                    words,
                    steps);
            return follow(
                    acquired,
                    i,
                    new LeaseEvent.Answered(acquire, true),
                    () -> "%s, and acquires [%d,%d)".formatted(words.get(), acquire.startMillis(), end),
                    steps);
        }
        if (command instanceof Extend extend) {
            Lease lease = extend.lease();
            long end = extend.horizonMillis();
            boolean granted = isHeld(row, lease) && row.horizon == lease.horizonMillis() && row.server == next.server;
            if (end > TICKS) {
                return null;
            }
            State extended = granted
                    ? granted(
                            next.with(new Row(row.token, row.fence, end, row.grantedFrom, row.server, row.generation)),
                            i,
                            lease.horizonMillis(),
                            end,
                            false,
                            words,
                            steps)
                    : next;
            return follow(
                    extended,
                    i,
                    new LeaseEvent.Answered(extend, granted),
                    () -> "%s, and %s to %d".formatted(words.get(), granted ? "extends" : "does not extend", end),
                    steps);
        }
        if (command instanceof Raise raise) {
            Lease lease = raise.lease();
            boolean granted = isHeld(row, lease) && row.horizon == raise.seenMillis() && row.server == next.server;
            Row raised =
                    new Row(row.token, row.fence, lease.horizonMillis(), row.grantedFrom, row.server, row.generation);
            return follow(
                    granted ? next.with(raised) : next,
                    i,
                    new LeaseEvent.Answered(raise, granted),
                    () -> words.get() + (granted ? ", and raises its horizon again" : ", and cannot raise its horizon"),
                    steps);
        }
        if (command instanceof Heal heal) {
            boolean healed = has(Trait.TRUSTING) || isSetBack(row, heal.lease(), next.server);
            if (healed && next.heals == (has(Trait.RESTORE) ? 1 : 0)) {
                steps.violation(() -> words.get() + ", and heals the rows more often than there were restores");
                return null;
            }
            long horizon = has(Trait.LOW) ? row.horizon : Math.max(row.horizon, next.highest);
            Row after = new Row(
                    0,
                    row.fence + 1,
                    horizon,
                    row.grantedFrom,
                    row.server,
                    heal.lease().generation() + 1);
            return follow(
                    healed ? next.with(after).afterHeal() : next,
                    i,
                    new LeaseEvent.Answered(heal, healed),
                    () -> words.get() + (healed ? ", and heals the rows" : ", and heals nothing"),
                    steps);
        }
        return null; // a repeated search for rows is equal to the next turn
    }

    private static Process after(Process process, LeaseStep step) {
        return step.notice() == Notice.DISCARDED
                ? new Process(step.state(), 0, Mark.NONE)
                : new Process(step.state(), process.ticks, process.mark);
    }

    /**
     * Grants ticks to a process, and marks processes with ticks that were granted twice. That is a violation, except
     * between a restore and the heal.
     */
    private State granted(
            State state,
            int i,
            long from,
            long to,
            boolean acquired,
            Supplier<String> words,
            ModelSearch.Steps<State> steps) {
        int ticks = bits(from, to);
        boolean again = (state.granted & ticks) != 0;
        boolean restored = has(Trait.RESTORE) && state.restores == 0 && !has(Trait.STAMP);
        if (again && (!restored || state.healed)) {
            steps.violation(() -> "%s, and is granted [%d,%d) again".formatted(words.get(), from, to));
        }
        Process other = state.processes.get(1 - i);
        Mark mark = other.mark;
        if ((other.ticks & ticks) != 0) {
            mark = Mark.ROBBED;
        } else if (acquired && mark == Mark.ROBBED) {
            mark = Mark.NONE; // its row has changed hands twice
        }
        Process own = state.processes.get(i);
        return state.afterGrant(from, to, acquired)
                .with(1 - i, other.marked(mark))
                .with(
                        i,
                        new Process(
                                own.lease, own.ticks | ticks, again && own.mark == Mark.NONE ? Mark.ROBBER : own.mark));
    }

    /** Returns whether the row meets the conditions of {@link LeaseStore#heal}. */
    private boolean isSetBack(Row row, Lease lease, int server) {
        return RowRules.isSetBack(
                new RowRules.LeasedRow(
                        row.token == 0 ? null : String.valueOf(row.token),
                        row.fence,
                        row.horizon,
                        row.grantedFrom,
                        has(Trait.FORGETFUL) ? lease.server() : "server " + row.server,
                        row.server == server,
                        row.generation),
                lease);
    }

    private static boolean isHeld(Row row, Lease lease) {
        return row.token == token(lease) && row.fence == lease.fence();
    }

    private static int token(Lease lease) {
        return Integer.parseInt(lease.token());
    }
}
