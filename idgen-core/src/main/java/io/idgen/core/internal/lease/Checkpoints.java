package io.idgen.core.internal.lease;

import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/** Tells leased workers of the checkpoints that a JVM makes of a process, where the application has {@code org.crac}. */
final class Checkpoints {
    private Checkpoints() {}

    /** Has a worker told, for as long as it holds what this gives; null if nobody here makes checkpoints. */
    static @Nullable Object tell(LeasedWorker worker) {
        try {
            return Told.registered(worker);
        } catch (NoClassDefFoundError e) {
            return null; // no org.crac in this application
        }
    }

    /** Registered and held weakly by the JVM: it goes when its worker does. */
    private static final class Told implements Resource {
        private final LeasedWorker worker;

        private Told(LeasedWorker worker) {
            this.worker = worker;
        }

        static Told registered(LeasedWorker worker) {
            Told told = new Told(worker);
            Core.getGlobalContext().register(told);
            return told;
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
