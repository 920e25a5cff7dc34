package io.idgen.core.config;

import io.idgen.core.ConfigurationException;

/**
 * The worker id of this process, where a platform numbers its processes: a scheduler's slot, an instance index, a
 * number in a file. Pass the object by {@code IdSources.builder().resource(WorkerIdAssigner.class, …)}. The setting
 * {@code idgen.worker.assigner} takes precedence.
 *
 * <p>With a {@link io.idgen.core.lease.LeaseStore}, such as a database, the number is leased there: a second process
 * with the same number waits, and is refused. List the numbers in {@code idgen.worker.reserved} of processes that lease
 * any worker id, so that they do not take one of them.
 *
 * <p><strong>Without a store, two processes with the same number generate the same ids.</strong> The platform must
 * never give a number to two processes that run at the same time, in one {@code idgen.worker.namespace} and {@code
 * idgen.worker.datacenter-id}. idgen cannot check that in general. It does check the following:
 *
 * <ul>
 *   <li>Within one JVM, a second generator with the number is refused, unless all its other properties are equal; then
 *       it shares the state of the first.
 *   <li>After a restart, ids continue above those of the former process if the host's clock did not step back.
 * </ul>
 */
@FunctionalInterface
public interface WorkerIdAssigner {

    /**
     * Returns the number of this process. Called once, when the {@link IdSources} are built, for all their sources. May
     * read a file or call a service; the start of the application waits for it.
     *
     * @return 0 or above, within the worker bits of {@code idgen.snowflake.layout}; with the default layout at most 31
     * @throws ConfigurationException if the platform does not provide the number. Throw this or any other unchecked
     *     exception rather than returning a guess: then the start fails
     */
    int workerId();
}
