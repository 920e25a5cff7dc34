package io.idgen.core.config;

import io.idgen.core.ConfigurationException;

/**
 * The worker id of this process, where a platform numbers its processes: a scheduler's slot, an instance index, a
 * number in a file. Choose it by its class, {@code idgen.worker.assigner=com.example.SlotNumber}, which must be public
 * and have a public constructor without arguments; or hand in an object, by {@code
 * IdSources.builder().resource(WorkerIdAssigner.class, …)}. The setting wins if both are there.
 *
 * <p><strong>Processes that are given one number make equal ids.</strong> The platform must never give a number to two
 * processes that run at the same time, in one {@code idgen.worker.namespace} and {@code idgen.worker.datacenter-id}.
 * idgen cannot check that in general. What it does check:
 *
 * <ul>
 *   <li>Within one JVM, a second generator with the number is refused, unless it is equal in all else and shares the
 *   state of the first.
 *   <li>Beside a {@link io.idgen.core.lease.LeaseStore}, such as a database, the number must be in {@code
 *       idgen.worker.reserved}. The process then reserves its number in the store, and a second process with that
 *       number is refused.
 *   <li>After a restart, ids go on above those of the former process as long as the host's clock does.
 * </ul>
 */
@FunctionalInterface
public interface WorkerIdAssigner {

    /**
     * The number of this process. Called when the {@link IdSources} are built, once for all their sources. May read a
     * file or ask a service; the start of the application waits for it.
     *
     * @return 0 or above, within the worker bits of {@code idgen.snowflake.layout}; with the default layout at most 31
     * @throws ConfigurationException if the platform does not tell the number. Throw this or any other unchecked
     *     exception rather than returning a guess: the start is then refused
     */
    int workerId();
}
