package io.idgen.core.internal.lease;

import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Notifies sources of CRaC checkpoints, if {@code org.crac} is on the class path. A process may be copied between a
 * checkpoint and the restore, so a source must not keep ids that it could generate in both.
 */
public final class Checkpoints {
    private Checkpoints() {}

    /**
     * Registers with CRaC. Keep the result strongly referenced, in the object that the actions belong to: it is held
     * weakly here. Safe for many threads.
     *
     * @param suspend seals what is held before a checkpoint, and gives it back; may block for a short time
     * @param resume continues after the restore, in the process itself or in a copy
     * @return null without {@code org.crac}
     */
    public static @Nullable Object register(Runnable suspend, Runnable resume) {
        try {
            return Registrations.OF_THIS_JVM.added(new Registration(suspend, resume));
        } catch (NoClassDefFoundError e) {
            return null; // no org.crac in this application
        }
    }

    private record Registration(Runnable suspend, Runnable resume) {}

    /**
     * The only resource that idgen registers with CRaC. {@code org.crac} keeps its resources in a map that is not safe
     * for many threads: if each source registered itself, two threads that create sources could loop there forever.
     */
    private static final class Registrations implements Resource {
        static final Registrations OF_THIS_JVM = new Registrations();

        private final Map<Registration, Boolean> all = new WeakHashMap<>();

        private Registrations() {
            Core.getGlobalContext().register(this);
        }

        Registration added(Registration registration) {
            synchronized (all) {
                all.put(registration, true);
            }
            return registration;
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) {
            forEach(registration -> registration.suspend.run());
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) {
            forEach(registration -> registration.resume.run());
        }

        private void forEach(Consumer<Registration> action) {
            List<Registration> now;
            synchronized (all) {
                now = List.copyOf(all.keySet());
            }
            now.forEach(action);
        }
    }
}
