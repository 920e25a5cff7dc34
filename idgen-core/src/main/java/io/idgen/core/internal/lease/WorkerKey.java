package io.idgen.core.internal.lease;

import io.idgen.core.layout.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * One worker of one namespace: generators with equal keys would generate equal ids. Keys are equal if their worker ids
 * are, however a layout divides these into datacenter and worker.
 *
 * @param workerId with the datacenter id in the upper bits
 * @param datacenter the datacenter id
 * @param worker the worker id within the datacenter
 */
public record WorkerKey(String namespace, int workerId, int datacenter, int worker) {

    /** Returns the key of a worker id that has the datacenter id in its upper bits. */
    public static WorkerKey of(String namespace, SnowflakeLayout layout, int workerId) {
        int workers = 1 << layout.workerBits();
        return new WorkerKey(namespace, workerId, workerId / workers, workerId % workers);
    }

    // Written out: the generated methods of a record would delay the first id of a JVM by 70 ms.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerKey key && workerId == key.workerId && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * workerId + namespace.hashCode();
    }

    /** Returns the worker id as tables have it, and its parts if there is a datacenter. */
    public String text() {
        return "worker id " + workerId
                + (datacenter == 0 ? "" : " (datacenter " + datacenter + ", worker " + worker + ")");
    }

    @Override
    public String toString() {
        return text() + " in namespace '" + namespace + "'";
    }
}
