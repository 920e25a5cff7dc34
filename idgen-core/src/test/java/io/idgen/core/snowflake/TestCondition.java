package io.idgen.core.snowflake;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A condition of a simulation: {@link #awaitNanos} and {@link #signalAll} are all that idgen uses. */
public abstract class TestCondition implements Condition {
    @Override
    public void await() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void awaitUninterruptibly() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean await(long time, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean awaitUntil(Date deadline) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void signal() {
        signalAll();
    }
}
