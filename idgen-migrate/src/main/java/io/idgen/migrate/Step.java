package io.idgen.migrate;

import java.util.List;

/**
 * One step of a migration, for people.
 *
 * @param number the number of the step, from 1
 * @param title what the step does
 * @param done whether the database shows that it has been made
 * @param oneWay whether nothing leads back from it: the one-way door
 * @param explicit whether it is made only if you name it by its number
 * @param sql its statements that are still to run; empty if it is done, or if you do it by hand
 * @param times how long it takes for each table, only by {@link Migration#measuredPlan}; empty if it takes moments
 * @param locks the locks that it takes, and for how long
 * @param applications what old and new versions of the application may do from this step on
 * @param back the way back
 */
public record Step(
        int number,
        String title,
        boolean done,
        boolean oneWay,
        boolean explicit,
        List<String> sql,
        List<Timing> times,
        String locks,
        String applications,
        String back) {

    /** Copies the lists. */
    public Step {
        sql = List.copyOf(sql);
        times = List.copyOf(times);
    }
}
