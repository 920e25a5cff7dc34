package javax.crac;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Notifies all registered resources. */
public class Context<R extends Resource> {
    private final Set<R> resources = ConcurrentHashMap.newKeySet();

    public void register(R resource) {
        resources.add(resource);
    }

    public void beforeCheckpoint() throws Exception {
        for (R each : resources) {
            each.beforeCheckpoint(this);
        }
    }

    public void afterRestore() throws Exception {
        for (R each : resources) {
            each.afterRestore(this);
        }
    }
}
