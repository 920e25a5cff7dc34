package io.idgen.cli.leases;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.RepairReport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The worker ids in a store without SQL. Its {@code toString} names the store, without secrets. Each method throws the
 * exceptions of the store's doctor and repair.
 */
public interface Leases extends AutoCloseable {

    /**
     * Examines the leases, and changes none.
     *
     * @param clock this host's clock
     * @return the findings
     */
    List<Finding> examine(InstantSource clock);

    /**
     * Makes all leases begin above the ticks that were granted before a loss or a restore of data.
     *
     * @param longestWindow the longest window that a process ever had, if the store has lost it
     * @param dryRun whether to change nothing
     * @return the changes
     */
    RepairReport afterRestore(Duration longestWindow, boolean dryRun);

    /**
     * Lowers horizons that are too far ahead to just above the largest id.
     *
     * @param layout the layout of the ids
     * @param largestId the largest id of the namespace in all tables
     * @param dryRun whether to change nothing
     * @return the changes
     */
    RepairReport lowerHorizons(SnowflakeLayout layout, long largestId, boolean dryRun);

    /**
     * Ends reservations.
     *
     * @param workerIds the worker ids
     * @param dryRun whether to change nothing
     * @return the changes
     */
    RepairReport unreserve(int[] workerIds, boolean dryRun);

    @Override
    void close();
}
