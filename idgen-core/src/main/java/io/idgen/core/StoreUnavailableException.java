package io.idgen.core;

/**
 * The store of segments or leases did not answer, or it is not known whether it did what it was asked. idgen asks again, with
 * growing pauses, and callers wait for that as long as their timeout allows. Its code is {@link ErrorCode#DATABASE_FAILED},
 * whatever the store is.
 *
 * <p>A {@link io.idgen.core.segment.SegmentAllocator} or {@link io.idgen.core.lease.LeaseStore} throws it for a lost connection,
 * a timeout, or any other failure that may pass without a change of the configuration.
 */
public class StoreUnavailableException extends AllocationException {
    private static final long serialVersionUID = 1L;

    /**
     * An attempt that failed.
     *
     * @param message what was tried, and what the store said
     */
    public StoreUnavailableException(String message) {
        super(ErrorCode.DATABASE_FAILED, message);
    }

    /**
     * An attempt that failed, with its cause.
     *
     * @param message what was tried, and what the store said
     * @param cause the error of the store or of its driver
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(ErrorCode.DATABASE_FAILED, message, cause);
    }

    @Override
    public StoreUnavailableException forCaller() {
        return new StoreUnavailableException(text(), this);
    }
}
