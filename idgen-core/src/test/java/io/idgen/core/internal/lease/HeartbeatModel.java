package io.idgen.core.internal.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A lease without reserved windows, for comparison with {@link LeaseModel}. The row has the time of the last heartbeat.
 * A process takes the worker id over when its clock shows that the heartbeat is old enough. It then issues by its own
 * clock, which may show any tick from its first one on.
 */
final class HeartbeatModel implements ModelSearch.Model<HeartbeatModel.State> {
    private static final int LEASE_TICKS = 1;

    /** A process: the number of its acquisition ({@code 0} for none), and the lowest tick that it may issue. */
    record Process(int acquisition, int from) {
        static final Process FRESH = new Process(0, 0);
    }

    /**
     * The row's acquisition and heartbeat, the processes, a bit for each issued tick, and how many acquisitions are
     * left.
     */
    record State(int acquisition, int heartbeat, List<Process> processes, int issued, int acquisitionsLeft) {
        State with(int i, Process process) {
            List<Process> changed = new ArrayList<>(processes);
            changed.set(i, process);
            return new State(acquisition, heartbeat, changed, issued, acquisitionsLeft);
        }
    }

    private final boolean aboveHeartbeat;
    private final int ticks;
    private final int processes;
    private final int acquisitions;

    /**
     * Creates the model. With {@code aboveHeartbeat}, a process also starts above the last heartbeat, not only at its
     * clock.
     */
    HeartbeatModel(boolean aboveHeartbeat, int ticks, int processes, int acquisitions) {
        this.aboveHeartbeat = aboveHeartbeat;
        this.ticks = ticks;
        this.processes = processes;
        this.acquisitions = acquisitions;
    }

    @Override
    public State start() {
        return new State(0, 0, Collections.nCopies(processes, Process.FRESH), 0, acquisitions);
    }

    @Override
    public Object key(State state) {
        return state;
    }

    @Override
    public void steps(State state, ModelSearch.Steps<State> steps) {
        for (int i = 0; i < processes; i++) {
            Process process = state.processes().get(i);
            if (!process.equals(Process.FRESH)) {
                issue(state, i, steps);
                beat(state, i, steps);
                int crashing = i;
                steps.to(state.with(i, Process.FRESH), () -> "P%d crashes".formatted(crashing));
            }
            acquire(state, i, steps);
        }
    }

    private void issue(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        for (int tick = process.from(); tick < ticks; tick++) {
            int issued = tick;
            if ((state.issued() >> tick & 1) != 0) {
                steps.violation(() -> "P%d issues tick %d again".formatted(i, issued));
            }
            State next = state.with(i, new Process(process.acquisition(), tick + 1));
            steps.to(
                    new State(
                            next.acquisition(),
                            next.heartbeat(),
                            next.processes(),
                            next.issued() | 1 << tick,
                            next.acquisitionsLeft()),
                    () -> "P%d issues tick %d".formatted(i, issued));
        }
    }

    private void beat(State state, int i, ModelSearch.Steps<State> steps) {
        Process process = state.processes().get(i);
        if (process.acquisition() == state.acquisition()) {
            int last = Math.max(state.heartbeat(), process.from() - 1);
            steps.to(
                    new State(state.acquisition(), last, state.processes(), state.issued(), state.acquisitionsLeft()),
                    () -> "P%d sends the heartbeat %d".formatted(i, last));
        }
    }

    private void acquire(State state, int i, ModelSearch.Steps<State> steps) {
        for (int tick = 0; tick < ticks && state.acquisitionsLeft() > 0; tick++) {
            if (state.acquisition() != 0 && state.heartbeat() + LEASE_TICKS >= tick) {
                continue;
            }
            int now = tick;
            int from = aboveHeartbeat ? Math.max(now, state.heartbeat() + 1) : now;
            int acquisition = state.acquisition() + 1;
            State next = state.with(i, new Process(acquisition, from));
            steps.to(
                    new State(
                            acquisition,
                            Math.max(state.heartbeat(), now),
                            next.processes(),
                            next.issued(),
                            next.acquisitionsLeft() - 1),
                    () -> "P%d acquires when the clock shows %d".formatted(i, now));
        }
    }
}
