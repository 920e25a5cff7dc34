package io.idgen.migrate;

import java.sql.SQLException;
import java.util.List;

/**
 * A step with its changes. It is done if all changes are, which the catalog and the data show.
 *
 * @param title what the step does
 * @param isOneWay whether nothing leads back
 * @param isExplicit whether it is made only if it is named by its number
 * @param locks the locks and their duration
 * @param applications what old and new versions may do
 * @param back the way back
 * @param changes the changes, in order
 */
record Stage(
        String title,
        boolean isOneWay,
        boolean isExplicit,
        String locks,
        String applications,
        String back,
        List<Change> changes) {

    /** A step with a way back, which needs no number. */
    Stage(String title, String locks, String applications, String back, List<Change> changes) {
        this(title, false, false, locks, applications, back, changes);
    }

    /** What a change does. */
    @FunctionalInterface
    interface Work {
        void run(Session session, Runner runner) throws SQLException;
    }

    /**
     * A change of the database.
     *
     * @param isDone whether the database has it already
     * @param sql its statements
     * @param work executes them
     * @param plain what of it a script can do
     */
    record Change(boolean isDone, List<String> sql, Work work, Plain plain) {

        /** The part of a change that is plain SQL. */
        record Plain(List<String> sql, boolean inTransaction, boolean needsCommand) {}

        /** A change that is not plain SQL. */
        Change(boolean isDone, List<String> sql, Work work) {
            this(isDone, sql, work, new Plain(List.of(), true, true));
        }

        /** A change that a person makes. */
        static Change byHand(boolean isDone) {
            return new Change(isDone, List.of(), (session, runner) -> {});
        }

        /** All statements in one short transaction, which is repeated if it does not get its locks. */
        static Change locking(boolean isDone, List<String> sql) {
            return new Change(isDone, sql, (session, runner) -> runner.lock(session, sql), new Plain(sql, true, false));
        }

        /** A statement that blocks neither readers nor writers, however long it takes. */
        static Change online(boolean isDone, String sql) {
            return new Change(
                    isDone,
                    List.of(sql),
                    (session, runner) -> {
                        session.execute(sql);
                        runner.report(sql, 0);
                    },
                    new Plain(List.of(sql), false, false));
        }
    }

    boolean isDone() {
        return changes.stream().allMatch(Change::isDone);
    }

    Step step(int number, List<Timing> times) {
        return new Step(
                number,
                title,
                isDone(),
                isOneWay,
                isExplicit,
                changes.stream()
                        .filter(each -> !each.isDone())
                        .flatMap(each -> each.sql().stream())
                        .toList(),
                isDone() ? List.of() : times,
                locks,
                applications,
                back);
    }
}
