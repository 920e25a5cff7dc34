package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.text.Characters;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link WorkerIdAssigner} of the application. It is called once, so that all sources have the same number. */
final class ApplicationFact implements LocalFact {
    private final WorkerIdAssigner assigner;
    private @Nullable Integer workerId;

    ApplicationFact(WorkerIdAssigner assigner) {
        this.assigner = assigner;
    }

    @Override
    public Worker assign(SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker, Host host) {
        if (worker.isPresent()) {
            throw new IllegalArgumentException("is set to " + worker.get() + ", and " + this
                    + " gives the worker id; leave one of them out, or set idgen.worker.assigner=fixed");
        }
        int number = workerId();
        try {
            return Worker.of(layout, datacenter.orElse(0), number);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    this + " gives worker id " + number + ": " + e.getMessage()
                            + "; choose an idgen.snowflake.layout with more worker bits, or number the processes from 0",
                    e);
        }
    }

    private synchronized int workerId() {
        if (workerId == null) {
            try {
                workerId = assigner.workerId();
            } catch (ConfigurationException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_UNKNOWN,
                        Characters.line(this + " cannot tell the worker id of this process: " + e
                                + "; correct what it reads, or set idgen.worker.assigner to another assigner"),
                        e);
            }
        }
        return workerId;
    }

    @Override
    public String toString() {
        return assigner.getClass().getName();
    }
}
