package io.idgen.ops;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.sql.CounterTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of a growth from the rows of a source in all databases. It needs no memory of earlier steps, so
 * a growth continues wherever it was killed. Pure.
 *
 * @param databases the number of databases of the new set
 * @param room how many ids each old database may still grant; null for twice its reach
 */
record GrowthPlan(int databases, @Nullable Long room) {

    /**
     * A change of one row.
     *
     * @param database the index of the database
     * @param before the row as it was read; null if it was missing. Processes may have raised its next id since
     * @param after the row after the change
     */
    record Step(int database, @Nullable SteppedRow before, SteppedRow after) {

        /** Whether the step opens a row of the new set. All others prepare this. */
        boolean opens() {
            return before != null && before.isClosed() && after.isUnlimited();
        }

        /** Returns the rows of the database after this step. */
        List<SteppedRow> madeIn(List<SteppedRow> rows) {
            return Stream.concat(rows.stream().filter(each -> !each.equals(before)), Stream.of(after))
                    .toList();
        }
    }

    /**
     * Returns the next step.
     *
     * @param rows the rows of the source in each database
     * @return empty if the source has all databases already, or no row of a smaller set
     * @throws AllocationException {@link ErrorCode#STEP_MISMATCH} if the rows contradict the list of databases, or are
     *     lost; {@link ErrorCode#LIMIT_REACHED} if ids would not fit a {@code long}
     */
    Optional<Step> next(String source, List<List<SteppedRow>> rows) {
        refuseLargerSet(source, rows);
        OptionalLong generation = rows.stream()
                .flatMap(List::stream)
                .filter(each -> each.instances() < databases)
                .mapToLong(SteppedRow::generation)
                .max();
        if (generation.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Growing.of(this, source, rows, generation.getAsLong()).next();
        } catch (ArithmeticException e) {
            throw new AllocationException(
                    ErrorCode.LIMIT_REACHED,
                    "the ids of '" + source + "' in the new set would not fit a bigint; set a smaller room (--room)",
                    e);
        }
    }

    private void refuseLargerSet(String source, List<List<SteppedRow>> rows) {
        rows.stream()
                .flatMap(List::stream)
                .filter(each -> each.instances() > databases)
                .findAny()
                .ifPresent(each -> {
                    throw mismatch("'" + source + "' has a row of instance " + each.instance() + " of "
                            + each.instances() + ", and the list has " + databases
                            + " databases; name all of them, in the order of the processes");
                });
    }

    private static AllocationException mismatch(String message) {
        return new AllocationException(ErrorCode.STEP_MISMATCH, message);
    }

    /** The rows of the old set and those of the new set, by their databases. A missing row is null. */
    private record Growing(
            GrowthPlan plan,
            String source,
            long generation,
            List<@Nullable SteppedRow> old,
            List<@Nullable SteppedRow> grown) {

        static Growing of(GrowthPlan plan, String source, List<List<SteppedRow>> rows, long generation) {
            long instances = rows.stream()
                    .flatMap(List::stream)
                    .filter(each -> each.generation() == generation)
                    .mapToLong(SteppedRow::instances)
                    .min()
                    .orElseThrow();
            List<@Nullable SteppedRow> old = new ArrayList<>();
            List<@Nullable SteppedRow> grown = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                SteppedRow ofOld = null;
                SteppedRow ofGrown = null;
                for (SteppedRow each : rows.get(i)) {
                    if (each.generation() == generation && each.instances() == instances) {
                        ofOld = each;
                        check(source, i, each, i < instances);
                    } else if (each.generation() == generation + 1 && each.instances() == plan.databases) {
                        ofGrown = each;
                        check(source, i, each, true);
                    } else if (each.generation() >= generation || each.instances() == plan.databases) {
                        throw mismatch("database " + (i + 1) + " has a row of '" + source + "', " + each
                                + ", generation " + each.generation()
                                + ", that no growth has written: a process with the new list was started too early, and"
                                + " may have repeated ids; stop it, look for ids that repeat, delete that row, then "
                                + Growth.AGAIN);
                    }
                }
                grown.add(ofGrown);
                if (i < instances) {
                    old.add(ofOld);
                }
            }
            return new Growing(plan, source, generation, old, grown);
        }

        private static void check(String source, int database, SteppedRow row, boolean belongs) {
            if (!belongs || row.instance() != database + 1) {
                throw mismatch("the row of '" + source + "' in database " + (database + 1) + " is instance "
                        + row.instance() + " of " + row.instances()
                        + "; name the old databases in their order, each once, and then the new one");
            }
        }

        Optional<Step> next() {
            if (old.stream().anyMatch(each -> each != null && each.isClosed())) {
                throw mismatch("the growth of '" + source + "' to " + old.size()
                        + " databases has not ended; repeat idgen grow with these first");
            }
            Optional<Step> preparation = limit().or(this::write);
            if (preparation.isPresent() && hasOpened()) {
                throw mismatch("'" + source + "' has grown to " + plan.databases + " databases, but database "
                        + (preparation.get().database() + 1)
                        + " has lost its row or its limit: it was restored or truncated; stop all processes and give"
                        + " it the rows with the generations " + generation + " and " + (generation + 1)
                        + ", with a next_id above all its ids");
            }
            return preparation.or(this::open);
        }

        /** Ends the rows of the old set. A missing one ends before its first id, so that no process creates it. */
        private Optional<Step> limit() {
            for (int i = 0; i < old.size(); i++) {
                SteppedRow row = old.get(i);
                if (row == null && generation > 1) {
                    throw mismatch("database " + (i + 1) + " has lost its row of '" + source + "', generation "
                            + generation + "; give it one with a next_id above all its ids");
                }
                if (row == null) {
                    long limit = limitAbove(1);
                    return Optional.of(new Step(i, null, row(generation, i, old.size(), limit, limit)));
                }
                if (row.isUnlimited()) {
                    return Optional.of(new Step(i, row, row.withLimit(limitAbove(row.next()))));
                }
            }
            return Optional.empty();
        }

        /** Returns the limit of the rows that have one already, or, if that is too low, a new one. */
        private long limitAbove(long next) {
            long known = largestLimit();
            if (known >= next) {
                return known;
            }
            long highest = there(old).mapToLong(SteppedRow::next).max().orElseThrow();
            return Math.addExact(highest, Math.multiplyExact(room(), (long) old.size()));
        }

        private long largestLimit() {
            return there(old)
                    .filter(each -> !each.isUnlimited())
                    .mapToLong(SteppedRow::limit)
                    .max()
                    .orElse(0);
        }

        private long room() {
            if (plan.room != null) {
                return plan.room;
            }
            Long reach = largestReach();
            if (reach == null) {
                throw new IllegalArgumentException("the rows of '" + source
                        + "' have no reach, so nothing shows how many ids processes with the old list may need; set the"
                        + " room (--room)");
            }
            return Math.multiplyExact(2, reach);
        }

        private @Nullable Long largestReach() {
            return there(old)
                    .map(SteppedRow::reach)
                    .filter(Objects::nonNull)
                    .max(Long::compare)
                    .orElse(null);
        }

        /** Writes the rows of the new set above all limits, that of the new database first. */
        private Optional<Step> write() {
            long start = largestLimit();
            for (int i = plan.databases - 1; i >= 0; i--) {
                SteppedRow row = grown.get(i);
                if (row == null || (row.isClosed() && row.next() < start)) {
                    return Optional.of(
                            new Step(i, row, row(generation + 1, i, plan.databases, CounterTable.NOT_OPEN, start)));
                }
            }
            return Optional.empty();
        }

        private SteppedRow row(long itsGeneration, int database, int instances, long limit, long start) {
            long instance = database + 1L;
            SteppedRow old = database < this.old.size() ? this.old.get(database) : null;
            return new SteppedRow(
                    itsGeneration,
                    instance,
                    instances,
                    limit,
                    Math.addExact(start, Math.floorMod(instance - start, (long) instances)),
                    old == null || old.reach() == null ? largestReach() : old.reach());
        }

        private boolean hasOpened() {
            return there(grown).anyMatch(each -> !each.isClosed());
        }

        private Optional<Step> open() {
            for (int i = plan.databases - 1; i >= 0; i--) {
                SteppedRow row = Objects.requireNonNull(grown.get(i));
                if (row.isClosed()) {
                    return Optional.of(new Step(i, row, row.withLimit(SteppedRow.UNLIMITED)));
                }
            }
            return Optional.empty();
        }

        private static Stream<SteppedRow> there(List<@Nullable SteppedRow> rows) {
            return rows.stream().filter(Objects::nonNull);
        }
    }
}
