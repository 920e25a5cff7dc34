package io.idgen.core.inspect;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What ids that were made twice point at. One generator never repeats a tick's number, so two of them, or two lives of one,
 * had the same worker id; where in their ticks the ids stand tells which is likelier.
 *
 * <p>Two generators that nobody told apart both begin each tick at sequence 0, so their duplicates stand at the start of a
 * tick: published ones nearly always carry sequence 0 to {@value #LAST_OF_LIGHT_TRAFFIC}. A generator that goes through a
 * stretch of time again rather meets its earlier self anywhere in a tick. That is circumstantial evidence, and none for
 * generators that begin ticks elsewhere than at 0.
 *
 * @param ids each once; all of one layout
 */
public record Duplicates(List<InspectedId> ids) implements Verdict {

    /** The highest sequence that two lightly loaded generators are expected to meet at: {@value}. */
    public static final int LAST_OF_LIGHT_TRAFFIC = 3;

    private static final int MOST_WORKERS_NAMED = 5;

    /** Why an id was made twice. */
    public enum Cause {
        /** Two generators ran at once with one worker id. */
        SHARED_WORKER_ID,
        /** One generator's time came twice: its clock stepped back, or its state was restored. */
        REPEATED_TIME
    }

    /** Who made ids and when: two generators that shared a worker id met here. */
    private record Meeting(Instant time, String worker) {}

    /** Refuses an empty list, ids listed twice, and ids of two layouts. */
    public Duplicates {
        ids = List.copyOf(ids);
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("there is no verdict on no ids");
        }
        if (ids.stream().map(InspectedId::layout).distinct().count() > 1) {
            throw new IllegalArgumentException("duplicates of two layouts have nothing in common, got " + ids);
        }
        if (ids.stream().distinct().count() < ids.size()) {
            throw new IllegalArgumentException("each id is listed once, however often it was made, got " + ids);
        }
    }

    /**
     * The likelier cause. A worker's lowest duplicate in each tick is looked at, since those above it follow from it; the
     * cause that most of them point at is taken, in a tie the shared worker id.
     *
     * @return a suspicion, not a proof
     */
    public Cause cause() {
        Collection<Integer> starts = starts();
        return 2 * lowOf(starts) >= starts.size() ? Cause.SHARED_WORKER_ID : Cause.REPEATED_TIME;
    }

    /** The lowest sequence of each worker in each tick. */
    private Collection<Integer> starts() {
        Map<Meeting, Integer> lowest = ids.stream()
                .collect(Collectors.toMap(
                        id -> new Meeting(id.parts().time(), id.worker()),
                        id -> id.parts().sequence(),
                        Math::min));
        return lowest.values();
    }

    private static long lowOf(Collection<Integer> starts) {
        return starts.stream()
                .filter(sequence -> sequence <= LAST_OF_LIGHT_TRAFFIC)
                .count();
    }

    @Override
    public String text() {
        return whatHappened() + " " + evidence() + " "
                + switch (cause()) {
                    case SHARED_WORKER_ID ->
                        "The likeliest cause is two generators that ran at once with one worker id. Find both: two"
                                + " processes with the same setting, or two generators within one process; then give each"
                                + " a worker id of its own, or lease worker ids.";
                    case REPEATED_TIME ->
                        "That points rather at a clock that stepped back, or at a state that was restored (a snapshot of"
                                + " a virtual machine, a copied process), unless the generator begins its ticks elsewhere"
                                + " than at 0. Look at that host's time synchronisation first, then for a second"
                                + " generator with its worker id.";
                };
    }

    private String whatHappened() {
        List<String> workers = ids.stream().map(InspectedId::worker).distinct().toList();
        InspectedId first = ids.get(0);
        String who = "two generators, or two lives of one, had "
                + (workers.size() == 1 ? "worker id " : "each of " + workers.size() + " worker ids: ")
                + workers.stream().limit(MOST_WORKERS_NAMED).collect(Collectors.joining(", "))
                + (workers.size() > MOST_WORKERS_NAMED
                        ? " and " + (workers.size() - MOST_WORKERS_NAMED) + " more"
                        : "");
        return ids.size() == 1
                ? "Id " + first.id() + " was made twice: " + who + " at "
                        + first.parts().time() + "."
                : ids.size() + " ids were made twice: " + who + ".";
    }

    private String evidence() {
        long idsPerTick = ids.get(0).layout().idsPerTick();
        if (idsPerTick <= LAST_OF_LIGHT_TRAFFIC + 1) {
            return "With " + idsPerTick + " ids to a tick, the sequence says nothing.";
        }
        Collection<Integer> starts = starts();
        return ids.size() == 1
                ? "Its sequence is " + ids.get(0).parts().sequence() + " of 0 to " + (idsPerTick - 1)
                        + "; two generators under light traffic meet at 0 to " + LAST_OF_LIGHT_TRAFFIC + "."
                : "In " + lowOf(starts) + " of " + starts.size() + " ticks they begin at sequence 0 to "
                        + LAST_OF_LIGHT_TRAFFIC + ", where two generators under light traffic meet.";
    }
}
