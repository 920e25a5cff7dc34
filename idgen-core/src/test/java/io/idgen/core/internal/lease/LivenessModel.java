package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseModel.Process;
import io.idgen.core.internal.lease.LeaseModel.Span;
import io.idgen.core.internal.lease.LeaseModel.State;
import io.idgen.core.internal.lease.LeaseState.LeasePhase;
import io.idgen.core.lease.LeaseStore.Candidates;
import java.util.List;
import java.util.Set;

/**
 * {@link LeaseModel}, and in each of its states the faults may end. From then on, statements are answered, the
 * database's clock is right, and each process that waits for ids has a turn in each tick, in any order.
 *
 * <p>The promise: after {@value #PATIENCE_TICKS} ticks, each process generates ids or has the refusal that all worker
 * ids are leased, and one of them generates ids. No process stops for good, except because a copy of it ran.
 */
final class LivenessModel implements ModelSearch.Model<State> {
    /** After how many ticks a process that is gone counts as dead. */
    private static final int LEASE_TICKS = LeaseModel.WINDOW_TICKS;

    static final int PATIENCE_TICKS = LEASE_TICKS;
    private static final int SEARCHES = 8;

    private final LeaseModel lease;
    private final LeaseProtocol protocol;

    LivenessModel(Set<LeaseModel.Trait> traits, int ticks, int processes, int acquisitions) {
        this.lease = new LeaseModel(traits, ticks, processes, acquisitions);
        this.protocol = lease.protocol();
    }

    @Override
    public State start() {
        return lease.start();
    }

    @Override
    public Object key(State state) {
        return lease.key(state);
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        lease.steps(state, steps);
        long highest = lease.highestTick(state);
        for (int first = 0; first < state.processes().size(); first++) {
            for (long now = Math.max(0, highest - LeaseModel.WINDOW_TICKS); now <= highest; now++) {
                Calm calm = new Calm(state, first, now);
                long begin = now;
                int firstProcess = first;
                if (!calm.isServed()) {
                    steps.violation(() -> "the faults end at tick %d, P%d has the first turn, and after %d ticks %s"
                            .formatted(begin, firstProcess, PATIENCE_TICKS, calm));
                }
            }
        }
    }

    /** The time after the faults. */
    private final class Calm {
        private final int first;
        private final boolean[] served;
        private final boolean[] refused;
        private State state;
        private long now;
        private int passed;

        Calm(State state, int first, long now) {
            this.state = state.filtered(late -> false);
            this.first = first;
            this.now = now;
            this.served = new boolean[state.processes().size()];
            this.refused = new boolean[state.processes().size()];
            for (; passed <= PATIENCE_TICKS; passed++) {
                tick();
                this.now++;
            }
        }

        boolean isServed() {
            boolean all = true;
            boolean any = false;
            boolean anyOpen = false;
            for (int i = 0; i < served.length; i++) {
                boolean stopped = process(i).lease().phase() == LeasePhase.STOPPED;
                all &= served[i] || refused[i] || stopped;
                any |= served[i];
                anyOpen |= !stopped;
            }
            return all && (any || !anyOpen);
        }

        private Process process(int i) {
            return state.processes().get(i);
        }

        private void tick() {
            for (int turn = 0; turn < served.length; turn++) {
                int i = (first + turn) % served.length;
                leave(i);
                refused[i] = false;
                if (process(i).lease().goesOn()) {
                    turn(i);
                }
                swap(i);
                issue(i);
            }
        }

        /** Completes a close or a checkpoint. A process that has ended is replaced by a new one. */
        private void leave(int i) {
            send(i);
            while (process(i).lease().releases() > 0) {
                LeaseStep step = protocol.release(process(i).lease(), process(i).highestTick());
                state = state.with(i, process(i).with(step.state().left()).planning(step.command()));
                send(i);
            }
            LeaseState left = process(i).lease();
            if (left.phase() == LeasePhase.CLOSED) {
                state = state.with(i, Process.FRESH);
            } else if (left.phase() == LeasePhase.SUSPENDED) {
                state = state.with(i, process(i).with(left.resumed()));
            }
        }

        private void turn(int i) {
            LeaseStep step = protocol.turn(process(i).lease());
            for (int search = 0; step.command() != null && search < SEARCHES; search++) {
                step = apply(i, answer(i, step.command()));
            }
            // a copy is offered the row of its original by their token, but has to wait for its horizon
            refused[i] = step.waitsFor() instanceof LeaseWait.AllTaken
                    || (step.waitsFor() instanceof LeaseWait.HorizonsAhead && isHeldByAnother(i));
        }

        private LeaseEvent answer(int i, LeaseCommand command) {
            long millis = lease.millis(now);
            if (command instanceof LeaseCommand.LookAtRow look) {
                return lease.looked(state, look, millis);
            }
            if (command instanceof LeaseCommand.Renew renew) {
                return new LeaseEvent.Answered(renew, true);
            }
            if (command instanceof LeaseCommand.FindRows) {
                LeaseEvent.RowsFound found = lease.found(state, millis);
                return isFree(i)
                        ? found
                        : new LeaseEvent.RowsFound(new Candidates(0, List.of(), ""), found.freshToken(), 0);
            }
            return sent(command);
        }

        /** Returns whether a process may acquire the row: the process with its token is gone for a lease. */
        private boolean isFree(int i) {
            int token = state.row().token();
            String doubtful = process(i).lease().doubtfulToken();
            return token == LeaseModel.NO_TOKEN
                    || String.valueOf(token).equals(doubtful)
                    || (passed >= LEASE_TICKS && !isHeldByAnother(i));
        }

        private boolean isHeldByAnother(int i) {
            for (int other = 0; other < served.length; other++) {
                LeaseState.Holding holding = process(other).lease().holding();
                if (other != i
                        && holding != null
                        && LeaseModel.token(holding.lease()) == state.row().token()) {
                    return true;
                }
            }
            return false;
        }

        private LeaseStep apply(int i, LeaseEvent event) {
            LeaseStep step = event.apply(protocol, process(i).lease());
            state = state.with(i, lease.after(process(i), step).planning(null));
            return step;
        }

        /** Sends a statement that was planned before the faults ended. */
        private void send(int i) {
            LeaseCommand planned = process(i).planned();
            if (planned != null) {
                state = state.with(i, process(i).planning(null));
                apply(i, sent(planned));
            }
        }

        private LeaseEvent sent(LeaseCommand statement) {
            boolean granted = lease.matches(statement, state) && isWithinWindow(statement);
            state = granted ? lease.applied(statement, state) : state;
            return LeaseModel.answer(statement, granted);
        }

        private boolean isWithinWindow(LeaseCommand statement) {
            long latest = lease.millis(now + LeaseModel.WINDOW_TICKS);
            return !(statement instanceof Acquire acquire && acquire.lease().horizonMillis() > latest
                    || statement instanceof Extend extend && extend.horizonMillis() > latest);
        }

        private void swap(int i) {
            Process process = process(i);
            if (!protocol.isDue(
                    process.lease(), process.highestTick(), process.window().isEmpty(), now)) {
                return;
            }
            LeaseProtocol.NextWindow opening = protocol.opening(process.lease(), process.highestTick());
            state = state.with(
                    i,
                    opening == null
                            ? process.with(process.window().sealed())
                            : process.with(protocol.opened(process.lease()))
                                    .with(new Span(opening.firstTick(), opening.endTick())));
        }

        private void issue(int i) {
            Span window = process(i).window();
            served[i] = !window.isEmpty();
            if (served[i]) {
                long tick = Math.max(window.lo(), Math.min(now, window.hi() - 1));
                state = state.with(i, process(i).with(new Span(tick + 1, window.hi())));
            }
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < served.length; i++) {
                text.append(i == 0 ? "" : ", ")
                        .append("P%d %s".formatted(i, served[i] ? "has ids" : refused[i] ? "is refused" : "waits"));
            }
            return text.toString();
        }
    }
}
