package io.idgen.test;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import org.jspecify.annotations.Nullable;

/** A worker id in an {@link InMemoryLeaseStore}. */
record LeaseEntry(
        int workerId,
        String layout,
        long fence,
        long horizonMillis,
        long longestWindowMillis,
        int server,
        boolean reserved,
        @Nullable String token,
        long heldUntilMillis) {

    boolean wasUsed() {
        return fence > 0 || horizonMillis > 0;
    }

    boolean isFree(long nowMillis, @Nullable String ownToken) {
        return !reserved && (heldUntilMillis < nowMillis || (token != null && token.equals(ownToken)));
    }

    boolean isHeldBy(Lease lease) {
        return !reserved && lease.token().equals(token) && lease.fence() == fence;
    }

    boolean isAsIn(Lease lease) {
        return isHeldBy(lease) && lease.horizonMillis() == horizonMillis;
    }

    boolean isAsIn(Row row) {
        return fence == row.fence() && horizonMillis == row.horizonMillis();
    }

    LeaseEntry heldBy(@Nullable String newToken, long untilMillis) {
        return new LeaseEntry(
                workerId, layout, fence, horizonMillis, longestWindowMillis, server, reserved, newToken, untilMillis);
    }

    LeaseEntry withHorizon(long newHorizonMillis) {
        return new LeaseEntry(
                workerId,
                layout,
                fence,
                newHorizonMillis,
                longestWindowMillis,
                server,
                reserved,
                token,
                heldUntilMillis);
    }

    /** Returns the entry of a free worker id. */
    static LeaseEntry unused(int workerId, String layout, long horizonMillis, int server) {
        return new LeaseEntry(workerId, layout, 0, horizonMillis, 0, server, false, null, 0);
    }

    LeaseEntry leased(Lease lease, long windowMillis, int byServer, long untilMillis) {
        return new LeaseEntry(
                workerId,
                layout,
                fence + 1,
                lease.horizonMillis(),
                Math.max(longestWindowMillis, windowMillis),
                byServer,
                false,
                lease.token(),
                untilMillis);
    }

    LeaseEntry reservedFor(@Nullable String byToken, long newHorizonMillis, int byServer, long untilMillis) {
        return new LeaseEntry(
                workerId,
                layout,
                fence + 1,
                newHorizonMillis,
                longestWindowMillis,
                byServer,
                true,
                byToken,
                untilMillis);
    }

    /** Returns the entry that nobody holds, as a repair or another server sets it. */
    LeaseEntry set(long newHorizonMillis, int byServer, boolean nowReserved) {
        return new LeaseEntry(
                workerId, layout, fence + 1, newHorizonMillis, longestWindowMillis, byServer, nowReserved, null, 0);
    }

    LeaseEntry inLayout(String newLayout, long lowestMillis) {
        return new LeaseEntry(
                workerId,
                newLayout,
                fence + 1,
                Math.max(horizonMillis, lowestMillis),
                longestWindowMillis,
                server,
                reserved,
                token,
                heldUntilMillis);
    }
}
