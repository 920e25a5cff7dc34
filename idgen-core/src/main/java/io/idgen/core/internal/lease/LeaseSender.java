package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.internal.worker.LeasedIds;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import java.util.random.RandomGenerator;

/**
 * Sends commands to the store. Leases no worker id that a fixed generator of this JVM uses. Only the thread of the
 * lease uses it.
 */
final class LeaseSender {
    private static final int SEARCHES = 8;

    private final LeaseStore store;
    private final LeaseStore.Terms terms;
    private final RandomGenerator random;
    private final LeasedIds leasedIds;
    private final TickScale scale;

    /** Hands an event to the protocol and returns the step that follows. */
    @FunctionalInterface
    interface Receiver {
        LeaseStep accept(LeaseEvent event);
    }

    LeaseSender(LeaseStore store, LeaseStore.Terms terms, RandomGenerator random, LeasedIds leasedIds) {
        SnowflakeLayout layout = terms.layout();
        this.store = store;
        this.terms = terms;
        this.random = random;
        this.leasedIds = leasedIds;
        this.scale = LayoutTime.ticks(layout);
    }

    /**
     * Sends the commands of the protocol until the turn is over. Blocks for as long as the store does.
     *
     * @return the last step
     */
    LeaseStep turn(Receiver protocol) {
        LeaseStep step = protocol.accept(new LeaseEvent.Turn());
        int searches = 0;
        while (step.command() != null) {
            if (step.command() instanceof LeaseCommand.FindRows && ++searches > SEARCHES) {
                // other processes were faster each time; there are free rows, and those processes will soon be done
                return LeaseStep.rest(step.state(), LeaseProtocol.SOON);
            }
            step = protocol.accept(answer(step.command(), protocol));
        }
        return step;
    }

    private LeaseEvent answer(LeaseCommand command, Receiver protocol) {
        try {
            return send(command);
        } catch (RuntimeException | Error e) {
            protocol.accept(new LeaseEvent.Unanswered(command));
            throw e;
        }
    }

    private LeaseEvent send(LeaseCommand command) {
        if (command instanceof LeaseCommand.FindRows find) {
            // looks at each worker id under a lock of the JVM, so no other command does
            LeaseStore.Terms left = leasedIds.without(terms);
            String fresh = String.format("%016x%016x", random.nextLong(), random.nextLong());
            return new LeaseEvent.Found(store.candidates(left, find.token()), fresh, random.nextInt(Integer.MAX_VALUE));
        }
        if (command instanceof LeaseCommand.Look look) {
            return new LeaseEvent.Looked(
                    look.lease(), store.look(terms, look.lease()).orElse(null));
        }
        return change((LeaseCommand.Change) command);
    }

    private LeaseEvent change(LeaseCommand.Change change) {
        if (!(change instanceof LeaseCommand.Acquire acquire)) {
            return new LeaseEvent.Answered(change, change.send(store, terms));
        }
        int worker = acquire.lease().workerId();
        if (!leasedIds.register(worker)) {
            return new LeaseEvent.Answered(acquire, false); // a generator of this JVM has just taken it without a lease
        }
        LeaseCommand.Acquire later = acquire.startingAt(scale.instantOf(leasedIds.firstTick(worker)));
        if (later.startMillis() >= later.lease().horizonMillis()) {
            return new LeaseEvent.Answered(acquire, false); // a fixed generator of this JVM has used the whole window
        }
        return new LeaseEvent.Answered(later, later.send(store, terms));
    }

    /** Releases a row. Blocks for as long as the store does. */
    boolean release(LeaseCommand.Release release) {
        return release.send(store, terms);
    }

    /** Describes which process holds which worker id, for a message. */
    String holders() {
        return store.holders(terms);
    }
}
