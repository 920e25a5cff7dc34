package io.idgen.core.internal.lease;

import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Tells leased workers of the checkpoints that a JVM makes of a process, where the application has {@code org.crac}.
 */
final class Checkpoints {
    private Checkpoints() {}

    /** Has a worker told, for as long as it holds what this gives; null if nobody here makes checkpoints. */
    static @Nullable Object register(LeasedWorker worker) {
        try {
            return Registration.registered(worker);
        } catch (NoClassDefFoundError e) {
            return null; // no org.crac in this application
        }
    }

    /** Registered and held weakly by the JVM: it goes when its worker does. */
    private static final class Registration implements Resource {
        private final LeasedWorker worker;

        private Registration(LeasedWorker worker) {
            this.worker = worker;
        }

        static Registration registered(LeasedWorker worker) {
            Registration registration = new Registration(worker);
            Core.getGlobalContext().register(registration);
            return registration;
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) {
            worker.suspend();
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) {
            worker.resume();
        }
    }
}
