package io.idgen.cli.analysis;

import io.idgen.core.internal.lease.Window;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.InspectedId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * The likely cause of ids that were generated twice. One generator never repeats a sequence number of a tick. So two
 * generators, or two runs of one, used the same worker id. The sequence numbers of the duplicates show which is more
 * likely.
 *
 * <p>Two generators with the same worker id both begin each tick at the same sequence: 0, or the tick's start offset.
 * Nearly always, they collide there or at one of the next {@value #LAST_OF_LIGHT_TRAFFIC} sequences. A generator that
 * runs through the same period again collides with its own earlier ids anywhere in a tick. This is circumstantial
 * evidence. It is none for generators that begin their ticks elsewhere.
 *
 * @param ids the duplicates, at least one, each listed once, all of one layout; copied
 */
public record DuplicateCause(List<InspectedId> ids) {

    /**
     * How far above the first sequence of a tick two generators with little traffic are expected to collide: {@value}.
     * Ticks begin at 0, or at their {@linkplain io.idgen.core.snowflake.Snowflake.Builder#startOffsetBelow start
     * offset}.
     */
    public static final int LAST_OF_LIGHT_TRAFFIC = 3;

    private static final int MOST_WORKERS_NAMED = 5;

    /** A tick of a worker. */
    private record Meeting(Instant time, String worker) {}

    /** Copies the list. */
    public DuplicateCause {
        ids = List.copyOf(ids);
    }

    /**
     * Returns whether two generators with one worker id are the likelier cause, rather than a time that a generator
     * went through twice. Only the lowest duplicate of each worker in each tick counts, since the ones above follow
     * from it; half of these are enough.
     *
     * @return a suspicion, not a proof
     */
    public boolean isSharedWorkerId() {
        Collection<InspectedId> starts = starts();
        return 2 * lowOf(starts) >= starts.size();
    }

    /** Returns the lowest duplicate of each worker in each tick. */
    private Collection<InspectedId> starts() {
        Map<Meeting, InspectedId> lowest = ids.stream()
                .collect(Collectors.toMap(
                        id -> new Meeting(id.parts().time(), id.worker()),
                        id -> id,
                        BinaryOperator.minBy(
                                Comparator.comparingInt(id -> id.parts().sequence()))));
        return lowest.values();
    }

    private static long lowOf(Collection<InspectedId> starts) {
        return starts.stream().filter(DuplicateCause::isLow).count();
    }

    private static boolean isLow(InspectedId id) {
        int sequence = id.parts().sequence();
        // at which the tick begins by default, if it does not follow a full one
        int start = Window.startOf(id.layout(), id.parts().time());
        return sequence <= LAST_OF_LIGHT_TRAFFIC || (sequence >= start && sequence <= start + LAST_OF_LIGHT_TRAFFIC);
    }

    /**
     * Returns the cause, with its reasons and what to check next.
     *
     * @return English sentences, with times in UTC
     */
    public String text() {
        return whatHappened() + " " + evidence() + " The likeliest cause is "
                + (isSharedWorkerId()
                        ? "two generators that ran at the same time with one worker id. Find both:"
                                + " two processes with the same setting, or two generators in one process. Then give "
                                + "each its own worker id, or lease worker ids."
                        : "a clock that stepped back, or a state that was restored (a snapshot of "
                                + "a virtual machine, a copied process), unless the generator begins its ticks "
                                + "elsewhere. Check that host's time synchronisation first, then look for a second "
                                + "generator with its worker id.");
    }

    private String whatHappened() {
        List<String> workers = ids.stream().map(InspectedId::worker).distinct().toList();
        InspectedId first = ids.get(0);
        int more = workers.size() - MOST_WORKERS_NAMED;
        return (ids.size() == 1
                        ? "Id " + first.id() + " of " + first.parts().time() + " was"
                        : ids.size() + " ids were")
                + " generated twice: two generators, or two runs of one, used "
                + (workers.size() == 1 ? "worker id " : "each of " + workers.size() + " worker ids: ")
                + workers.stream().limit(MOST_WORKERS_NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more." : ".");
    }

    private String evidence() {
        SnowflakeLayout layout = ids.get(0).layout();
        if (layout.idsPerTick() <= LAST_OF_LIGHT_TRAFFIC + 1) {
            return "With " + layout.idsPerTick() + " ids per tick, the sequence is no evidence.";
        }
        Collection<InspectedId> starts = starts();
        return (ids.size() == 1
                        ? "Its sequence is " + ids.get(0).parts().sequence() + "."
                        : lowOf(starts) + " of " + starts.size() + " ticks begin at a low sequence.")
                + " Two generators with little traffic collide at 0 to " + LAST_OF_LIGHT_TRAFFIC
                + (Window.startOffsets(layout) == 1 ? "." : ", or so far above the tick's start offset.");
    }
}
