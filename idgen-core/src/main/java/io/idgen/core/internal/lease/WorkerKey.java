package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/** One worker of one namespace: generators with the same key would generate equal ids. */
public record WorkerKey(String namespace, int datacenter, int worker) {

    /** Returns the key of a worker id that has the datacenter id in its upper bits. */
    public static WorkerKey of(String namespace, SnowflakeLayout layout, int workerId) {
        return new WorkerKey(namespace, workerId >>> layout.workerBits(), workerId & ((1 << layout.workerBits()) - 1));
    }

    // Written out: the generated methods of a record would delay the first id of a JVM by 70 ms.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerKey key
                && worker == key.worker
                && datacenter == key.datacenter
                && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * worker + datacenter) + namespace.hashCode();
    }

    @Override
    public String toString() {
        return "worker id " + worker + (datacenter == 0 ? "" : " of datacenter " + datacenter) + " in namespace '"
                + namespace + "'";
    }
}
