package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.VirtualTime;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between a process and the database. Statements take time, and other processes run meanwhile. Some get no
 * answer although they take effect, at once or later. A process that is killed or stopped sends nothing.
 */
public final class FaultyLink implements SimulatedStore.Link {
    private final Course course;
    private final SplittableRandom random;
    private final VirtualTime time;
    private final String process;
    private final SimulatedThread thread;
    private final Supplier<String> server;
    private long unreachableUntil;

    /** Ends the tasks of a killed process, and all tasks after the end of the course. */
    public static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Has no stack trace, because creating one would take longer than the rest of a statement. */
    private static final class NoAnswer extends StoreUnavailableException {
        private static final long serialVersionUID = 1L;

        NoAnswer() {
            super("no answer");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /**
     * Creates a link.
     *
     * @param process its name
     * @param thread the thread of the process that sends the statements
     * @param server returns the identity of the server; a late statement has no effect on another server
     */
    public FaultyLink(Course course, String process, SimulatedThread thread, Supplier<String> server) {
        this.course = course;
        this.random = course.random();
        this.time = course.time();
        this.process = process;
        this.thread = thread;
        this.server = server;
    }

    /** Cuts the process off from the database until then. */
    public void cutOffUntil(long nanos) {
        unreachableUntil = nanos;
    }

    @Override
    public <T> T call(String statement, Supplier<T> work) {
        dieIfKilled();
        passSometimes(statement);
        if (Math.max(unreachableUntil, course.unreachableUntil()) > time.nanoTime()) {
            pass(statement, course.millisBelow(100));
            throw lost(statement, random.nextInt(4) == 0 ? work : null);
        }
        if (random.nextDouble() < course.faults()) {
            throw lost(statement, random.nextInt(3) == 0 ? null : work);
        }
        T answer = work.get();
        course.log(() -> process + ": " + statement + " gives " + answer);
        passSometimes(statement + ", answered,");
        if (random.nextDouble() < course.faults()) {
            throw lost(statement, null);
        }
        return answer;
    }

    /**
     * Loses the answer of a statement. It has no effect, or takes effect now, or later if the same server still
     * answers.
     */
    private AllocationException lost(String statement, @Nullable Supplier<?> work) {
        if (work == null) {
            course.log(() -> process + ": " + statement + " fails");
        } else if (random.nextBoolean()) {
            Object answer = applied(work);
            course.log(() -> process + ": " + statement + " fails, and is applied: " + answer);
        } else {
            String then = server.get();
            time.after(course.millisBelow(random.nextBoolean() ? 2000 : 20_000), () -> {
                if (then.equals(server.get())) {
                    Object answer = applied(work);
                    course.log(() -> process + ": " + statement + " is applied only now: " + answer);
                }
            });
            course.log(() -> process + ": " + statement + " fails, and will be applied");
        }
        return new NoAnswer();
    }

    /** Applies a statement. Its exception is lost in the same way as its answer. */
    private static Object applied(Supplier<?> work) {
        try {
            return String.valueOf(work.get());
        } catch (AllocationException e) {
            return e;
        }
    }

    private void passSometimes(String statement) {
        if (random.nextInt(6) == 0) {
            pass(statement, course.millisBelow(random.nextInt(16) == 0 ? 3000 : 40));
        }
    }

    /** Lets virtual time pass. Returns only after the statements of other processes that begin meanwhile. */
    private void pass(String statement, long nanos) {
        course.log(() -> process + ": " + statement + " takes " + nanos / Course.MILLI + " ms");
        time.passTo(time.nanoTime() + nanos);
        waitWhileStopped();
    }

    /** Returns as soon as the process is not stopped. */
    public void waitWhileStopped() {
        while (thread.isStopped() && !thread.isKilled() && !course.isOver()) {
            time.passTo(thread.stoppedUntil());
        }
        dieIfKilled();
    }

    private void dieIfKilled() {
        if (thread.isKilled() || course.isOver()) {
            throw new Killed();
        }
    }
}
