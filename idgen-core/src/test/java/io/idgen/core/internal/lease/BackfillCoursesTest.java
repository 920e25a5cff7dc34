package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tries every course of a few events of two processes with backfills of one worker id. Each continues above the
 * largest id that its user finds in the tables. An id may be generated long before it is written. The backfills are the
 * {@link BackfillRow}s of production.
 *
 * <p>The promise: no tick is written by two backfills.
 */
@Tag("matrix")
class BackfillCoursesTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Terms TERMS = new Terms("test", LAYOUT, 7, 1, Duration.ofSeconds(30), Duration.ofSeconds(180));
    private static final TickScale SCALE = LayoutTime.ticks(LAYOUT);

    /** An event, with the number of the backfill that it concerns. */
    private enum Event {
        OPEN,
        /** An id of the next tick is generated, and not yet written. */
        GENERATE,
        WRITE,
        CLOSE,
        CRASH,
        /** The next statement takes effect, and its answer is lost. */
        LOSE_ANSWER,
        /** All backfills pause for longer than the lease. */
        PAUSE
    }

    private record Step(Event event, int backfill) {
        @Override
        public String toString() {
            return event + (event == Event.PAUSE ? "" : " " + backfill);
        }
    }

    private static List<Step> steps(Set<Event> events) {
        List<Step> all = new ArrayList<>(List.of(new Step(Event.PAUSE, 0)));
        for (Event event : events) {
            for (int i = 0; i < 2 && event != Event.PAUSE; i++) {
                all.add(new Step(event, i));
            }
        }
        return all;
    }

    /** A course of events from the start. */
    private static final class Course {
        /** Whether a backfill heeds that an earlier one was not closed. */
        private final boolean heeding;

        private final VirtualTime time = new VirtualTime();
        private final SimulatedDatabase database = new SimulatedDatabase(time);
        private final Backfill[] backfills = {new Backfill(), new Backfill()};
        private final Map<Long, Integer> writtenBy = new HashMap<>();
        private long largestWritten = SCALE.tickFrom(SimulatedDatabase.START.toEpochMilli()) - 1_000_000;
        private int opened;
        private boolean repeats;

        Course(boolean heeding) {
            this.heeding = heeding;
        }

        /** A backfill of a process, and those that the process begins after it. */
        private final class Backfill implements SimulatedStore.Link {
            private @Nullable BackfillRow row;
            private int number;
            private long last;
            private @Nullable Long unwritten;
            private boolean losing;

            @Override
            public <T> T call(String statement, Supplier<T> work) {
                T answer = work.get();
                if (losing) {
                    losing = false;
                    throw new StoreUnavailableException("no answer");
                }
                return answer;
            }

            /** Applies an event, and returns whether it is possible now. */
            boolean apply(Event event) {
                if ((event == Event.OPEN) == (row != null)) {
                    return false;
                }
                try {
                    switch (event) {
                        case OPEN -> open();
                        case GENERATE -> {
                            if (unwritten != null) {
                                return false;
                            }
                            row.take(last + 1);
                            last++;
                            unwritten = last;
                        }
                        case WRITE -> {
                            if (unwritten == null) {
                                return false;
                            }
                            write();
                        }
                        case CLOSE -> {
                            if (unwritten != null) {
                                return false;
                            }
                            row.leave();
                            row = null;
                        }
                        case CRASH -> {
                            row = null;
                            unwritten = null;
                        }
                        case LOSE_ANSWER -> losing = true;
                        case PAUSE -> throw new AssertionError("a pause concerns all");
                    }
                } catch (IdGenerationException e) {
                    // no answer, or another backfill has the row: the user may try again
                }
                return true;
            }

            private void open() {
                number = opened++;
                BackfillRow opening = new BackfillRow(
                        new SimulatedStore(database, this, SimulatedStore.Flaw.NONE), TERMS, time::nanoTime);
                last = opening.isAfterUnclosed() && heeding
                        ? Math.max(largestWritten, opening.floorTick() - 1)
                        : largestWritten;
                row = opening;
            }

            private void write() {
                Integer other = writtenBy.putIfAbsent(unwritten, number);
                repeats |= other != null && other != number;
                largestWritten = Math.max(largestWritten, unwritten);
                unwritten = null;
            }
        }

        boolean apply(Step step) {
            if (step.event == Event.PAUSE) {
                time.pass(TERMS.lease().plusSeconds(1));
                return true;
            }
            return backfills[step.backfill].apply(step.event);
        }
    }

    /** Returns the first course with a repeated tick, the shortest ones first. */
    private static Optional<List<Step>> repeating(boolean heeding, Set<Event> events, int longest) {
        List<Step> steps = steps(events);
        List<List<Step>> courses = List.of(List.of());
        for (int length = 1; length <= longest; length++) {
            List<List<Step>> longer = new ArrayList<>();
            for (List<Step> course : courses) {
                for (Step step : steps) {
                    if (course.isEmpty() && !step.equals(new Step(Event.OPEN, 0))) {
                        continue; // the backfills are alike
                    }
                    Course replayed = new Course(heeding);
                    course.forEach(replayed::apply);
                    if (!replayed.apply(step)) {
                        continue;
                    }
                    List<Step> next = new ArrayList<>(course);
                    next.add(step);
                    if (replayed.repeats) {
                        return Optional.of(next);
                    }
                    longer.add(next);
                }
            }
            courses = longer;
        }
        return Optional.empty();
    }

    @Test
    void noCourseOfEventsWritesATickTwice() {
        assertThat(repeating(true, EnumSet.allOf(Event.class), 7)).isEmpty();
    }

    @Test
    void noLongerCourseOfBackfillsThatPauseAndEndWritesATickTwice() {
        assertThat(repeating(true, EnumSet.complementOf(EnumSet.of(Event.CRASH, Event.LOSE_ANSWER)), 9))
                .isEmpty();
    }

    @Test
    void aBackfillThatIgnoresAnUnclosedOneWritesItsTickAgain() {
        assertThat(repeating(false, EnumSet.allOf(Event.class), 7))
                .hasValueSatisfying(course -> assertThat(course)
                        .hasToString("[OPEN 0, GENERATE 0, PAUSE, OPEN 1, GENERATE 1, WRITE 0, WRITE 1]"));
    }
}
