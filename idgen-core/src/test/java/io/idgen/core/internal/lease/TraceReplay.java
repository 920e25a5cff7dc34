package io.idgen.core.internal.lease;

import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.FindRows;
import io.idgen.core.internal.lease.LeaseState.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replays {@link LeaseProtocol} over the trace of a process, and reports the first step that the protocol does not
 * allow. Collects the statements that the process may have sent, and those that the store granted.
 */
final class TraceReplay {
    private final LeaseProtocol protocol;
    private final String process;
    private final List<LeaseCommand> sent = new ArrayList<>();
    private final List<LeaseCommand> granted = new ArrayList<>();
    private final List<Object> trace;
    private @Nullable LeaseState state;
    private @Nullable LeaseCommand unanswered;
    private @Nullable String forbidden;
    private int at;

    /**
     * Replays a trace. One that lost its beginning is checked from its first state on.
     *
     * @param process its name for messages
     */
    TraceReplay(String process, LeaseProtocol protocol, List<Object> trace) {
        this.process = process;
        this.protocol = protocol;
        this.trace = trace;
        while (forbidden == null && at < trace.size()) {
            next(trace.get(at));
            at++;
        }
    }

    /** Returns the first step that the protocol does not allow. */
    Optional<String> forbidden() {
        return Optional.ofNullable(forbidden);
    }

    /** Returns the statements that the process may have sent and that can change a row. */
    List<LeaseCommand> sent() {
        return sent;
    }

    /** Returns the statements that changed a row, as the store answered. */
    List<LeaseCommand> granted() {
        return granted;
    }

    private void next(Object entry) {
        if (entry instanceof LeaseStep step) { // its event is lost, or does not precede it
            check(state == null, "a step without an event");
            become(step);
        } else if (entry instanceof LeaseState changed) {
            changed(changed);
        } else if (state == null) {
            begin(entry);
        } else {
            happened(entry, state);
        }
    }

    /** Begins with the first entry: a process that has just started, or the rest of a longer trace. */
    private void begin(Object entry) {
        if (at == 0 && entry instanceof LeaseEvent.Turn) {
            happened(entry, LeaseState.START);
        }
    }

    private void happened(Object entry, LeaseState before) {
        if (entry instanceof LeaseEvent event) {
            answered(event);
            follows(event, () -> event.apply(protocol, before));
        } else if (entry instanceof LeaseTrace.Releasing releasing) {
            follows(entry, () -> protocol.release(before, releasing.highestTick()));
        } else if (entry instanceof LeaseTrace.WindowOpened opened) {
            LeaseProtocol.NextWindow opening = protocol.opening(before, opened.highestTick());
            check(
                    opening != null
                            && opening.workerId() == opened.workerId()
                            && opening.endTick() - 1 == opened.lastTick(),
                    "the protocol opens " + opening);
            state = protocol.opened(before);
        }
    }

    /** Checks that an event answers the statement that was sent last. */
    private void answered(LeaseEvent event) {
        LeaseCommand command = commandOf(event);
        LeaseCommand expected = unanswered;
        if (expected instanceof FindRows && event instanceof LeaseEvent.Turn) {
            return; // the last search of a turn is not sent
        }
        check(isAnswer(event, command, expected), "the statement under way is " + expected);
        unanswered = null;
        if (event instanceof LeaseEvent.Answered answered && answered.granted()) {
            granted.add(answered.command());
        }
    }

    private static boolean isAnswer(LeaseEvent event, @Nullable LeaseCommand command, @Nullable LeaseCommand expected) {
        if (event instanceof LeaseEvent.Turn) {
            return expected == null;
        }
        if (event instanceof LeaseEvent.RowsFound) {
            return expected instanceof FindRows;
        }
        if (event instanceof LeaseEvent.Looked looked) {
            return new LeaseCommand.LookAtRow(looked.lease()).equals(expected);
        }
        if (command instanceof Acquire acquire && expected instanceof Acquire planned) {
            // the ticks begin later if a fixed generator of the JVM has used some
            return acquire.lease().equals(planned.lease()) && acquire.startMillis() >= planned.startMillis();
        }
        return Objects.equals(command, expected);
    }

    private static @Nullable LeaseCommand commandOf(LeaseEvent event) {
        if (event instanceof LeaseEvent.Answered answered) {
            return answered.command();
        }
        return event instanceof LeaseEvent.Unanswered unanswered ? unanswered.command() : null;
    }

    private interface Rule {
        LeaseStep apply();
    }

    /** Checks the step that follows an entry. There is none if the protocol refuses, or if the process was killed. */
    private void follows(Object entry, Rule rule) {
        LeaseStep expected;
        try {
            expected = rule.apply();
        } catch (IdGenerationException e) {
            return;
        }
        if (at + 1 == trace.size()) {
            return;
        }
        at++;
        check(
                expected.equals(trace.get(at)),
                "after " + entry + ", in the state " + state + ", the protocol's step is " + expected);
        become(expected);
    }

    private void become(LeaseStep step) {
        state = step.state();
        LeaseCommand command = step.command();
        if (command != null && !(command instanceof LeaseCommand.Release)) {
            unanswered = command;
        }
        if (command != null) {
            sent.add(command);
        }
    }

    /** A state between two steps discards what was granted, or leaves it as it is. */
    private void changed(LeaseState changed) {
        LeaseState before = state;
        if (before != null) {
            Holding holding = changed.holding();
            check(
                    (holding == null || holding.equals(before.holding()))
                            && (changed.generation() == before.generation()
                                    || changed.generation() == LeaseState.NO_GENERATION),
                    "the state was " + before);
        }
        state = changed;
    }

    private void check(boolean allowed, String why) {
        if (!allowed && forbidden == null) {
            forbidden = process + ", entry " + at + ": " + trace.get(at) + "\n  but " + why;
        }
    }
}
