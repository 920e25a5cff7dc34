package io.idgen.core.internal.lease;

import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Notifies leased workers of CRaC checkpoints, if {@code org.crac} is on the class path.
 */
final class Checkpoints {
    private Checkpoints() {}

    /** Registers a worker with CRaC. Keep the result strongly referenced; it is null without {@code org.crac}. */
    static @Nullable Object register(LeasedWorker worker) {
        try {
            return Registration.registered(worker);
        } catch (NoClassDefFoundError e) {
            return null; // no org.crac in this application
        }
    }

    /** The JVM references a registered resource weakly: it disappears with its worker. */
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
