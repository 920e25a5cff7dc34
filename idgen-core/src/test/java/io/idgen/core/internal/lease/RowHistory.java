package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.LeaseCommand.Acquire;
import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseCommand.FenceOff;
import io.idgen.core.internal.lease.LeaseCommand.Heal;
import io.idgen.core.internal.lease.LeaseCommand.Raise;
import io.idgen.core.internal.lease.LeaseCommand.Release;
import io.idgen.core.internal.lease.LeaseCommand.Renew;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares the history of the rows with the statements of all processes. A statement of some process must explain each
 * change by the conditions of {@link io.idgen.core.lease.LeaseStore}, and each grant must have changed its row.
 */
public final class RowHistory {

    /**
     * A change of a row by a statement.
     *
     * @param nowMillis the store's time at the change
     * @param server the server that executed the statement; null if the history does not have it
     */
    public record Change(
            WorkerRow before,
            WorkerRow after,
            long nowMillis,
            @Nullable String server) {}

    private final LeaseTerms terms;
    private final List<Change> changes;

    /** Creates the history of all rows in the order of the changes. */
    RowHistory(LeaseTerms terms, List<Change> changes) {
        this.terms = terms;
        this.changes = changes;
    }

    /** Returns the first change that no statement explains. */
    Optional<String> forbidden(List<LeaseCommand> sent) {
        Map<Integer, List<LeaseCommand>> byWorker = byWorker(sent);
        List<LeaseCommand> heals = sent.stream().filter(Heal.class::isInstance).toList(); // of all rows
        return changes.stream()
                .filter(change -> !isRoutine(change)
                        && byWorker.getOrDefault(change.before().workerId(), List.of()).stream()
                                .noneMatch(command -> explains(command, change))
                        && heals.stream().noneMatch(command -> explains(command, change)))
                .findFirst()
                .map(change -> change + "\n  but no statement of a process allows this change; for this row, processes"
                        + " sent last " + lastOf(byWorker.get(change.before().workerId())));
    }

    /** Returns the first grant that did not change its row. */
    Optional<String> missing(List<LeaseCommand> granted) {
        Map<Integer, List<Change>> byWorker = new HashMap<>();
        changes.forEach(change -> byWorker.computeIfAbsent(change.before().workerId(), any -> new ArrayList<>())
                .add(change));
        Predicate<LeaseCommand> changed = command -> byWorker.getOrDefault(workerId(command), List.of()).stream()
                .anyMatch(change -> explains(command, change));
        return granted.stream()
                .filter(command -> !(command instanceof Renew || command instanceof Heal) && !changed.test(command))
                .findFirst()
                .map(command -> command + "\n  was granted, but the history of its row does not have the change");
    }

    private static Map<Integer, List<LeaseCommand>> byWorker(List<LeaseCommand> commands) {
        Map<Integer, List<LeaseCommand>> byWorker = new HashMap<>();
        commands.forEach(command -> byWorker.computeIfAbsent(workerId(command), any -> new ArrayList<>())
                .add(command));
        return byWorker;
    }

    private static List<LeaseCommand> lastOf(List<LeaseCommand> commands) {
        return commands == null ? List.of() : commands.subList(Math.max(0, commands.size() - 5), commands.size());
    }

    private static int workerId(LeaseCommand command) {
        if (command instanceof Acquire acquire) {
            return acquire.lease().workerId();
        }
        if (command instanceof FenceOff fenceOff) {
            return fenceOff.row().workerId();
        }
        if (command instanceof Extend extend) {
            return extend.lease().workerId();
        }
        if (command instanceof Release release) {
            return release.lease().workerId();
        }
        if (command instanceof Raise raise) {
            return raise.lease().workerId();
        }
        if (command instanceof Renew renew) {
            return renew.lease().workerId();
        }
        return command instanceof Heal heal ? heal.lease().workerId() : Integer.MIN_VALUE;
    }

    /** Returns whether a change concerns neither the ticks nor the holder of a row. */
    private static boolean isRoutine(Change change) {
        WorkerRow before = change.before();
        WorkerRow after = change.after();
        return before.fence() == after.fence()
                && before.horizon() == after.horizon()
                && Objects.equals(before.token(), after.token())
                && Objects.equals(before.server(), after.server())
                && before.generation() == after.generation();
    }

    private boolean explains(LeaseCommand command, Change change) {
        WorkerRow before = change.before();
        WorkerRow after = change.after();
        if (command instanceof Acquire acquire) {
            Lease lease = acquire.lease();
            return before.fence() == acquire.row().fence()
                    && before.horizon() == acquire.row().horizonMillis()
                    && (before.leaseUntil() < change.nowMillis() || isToken(before, acquire.token()))
                    && isSameServer(change)
                    && lease.horizonMillis()
                            <= change.nowMillis() + terms.window().toMillis()
                    && after.fence() == lease.fence()
                    && after.fence() == before.fence() + 1
                    && isToken(after, lease.token())
                    && after.horizon() == lease.horizonMillis()
                    && after.grantedFrom() == before.horizon()
                    && Objects.equals(after.server(), before.server());
        }
        if (command instanceof FenceOff fenceOff) {
            return before.fence() == fenceOff.row().fence()
                    && before.horizon() == fenceOff.row().horizonMillis()
                    && fenceOff.horizonMillis() >= change.nowMillis() + terms.gapMillis()
                    && (change.server() == null || !change.server().equals(before.server()))
                    && after.fence() == before.fence() + 1
                    && after.token() == null
                    && after.horizon() == fenceOff.horizonMillis()
                    && (change.server() == null || change.server().equals(after.server()));
        }
        if (command instanceof Extend extend) {
            return isHeld(before, extend.lease())
                    && before.horizon() == extend.lease().horizonMillis()
                    && isSameServer(change)
                    && extend.horizonMillis()
                            <= change.nowMillis() + terms.window().toMillis()
                    && isHeld(after, extend.lease())
                    && after.horizon() == extend.horizonMillis();
        }
        if (command instanceof Raise raise) {
            return isHeld(before, raise.lease())
                    && before.horizon() == raise.seenMillis()
                    && isHeld(after, raise.lease())
                    && after.horizon() == raise.lease().horizonMillis();
        }
        if (command instanceof Release release) {
            return isHeld(before, release.lease())
                    && before.horizon() == release.lease().horizonMillis()
                    && after.token() == null
                    && after.horizon() == release.horizonMillis();
        }
        return command instanceof Heal heal && isHealed(heal.lease().generation(), change);
    }

    /** Returns whether a row was fenced off, or its generation was raised, or both at once: that depends on the store. */
    private static boolean isHealed(long generation, Change change) {
        WorkerRow before = change.before();
        WorkerRow after = change.after();
        boolean isRaised = before.generation() <= generation && after.generation() == generation + 1;
        boolean isFencedOff = before.generation() <= generation + 1
                && after.generation() == before.generation()
                && after.fence() == before.fence() + 1
                && after.token() == null
                && after.horizon() >= before.horizon();
        return isRaised || isFencedOff;
    }

    private static boolean isSameServer(Change change) {
        return change.server() == null || change.server().equals(change.before().server());
    }

    private static boolean isHeld(WorkerRow row, Lease lease) {
        return isToken(row, lease.token()) && row.fence() == lease.fence();
    }

    private static boolean isToken(WorkerRow row, @Nullable String token) {
        return token != null && token.equals(row.token());
    }
}
