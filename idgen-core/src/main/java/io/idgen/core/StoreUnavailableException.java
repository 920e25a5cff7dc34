package io.idgen.core;

/**
 * The store of segments or leases did not answer, or the outcome of a call is unknown. idgen calls the store again,
 * with growing pauses. Callers wait as long as their timeout allows, except after a {@link StoreUnreachableException}.
 * The code is {@link ErrorCode#DATABASE_FAILED}, whatever the store is.
 *
 * <p>A {@link io.idgen.core.segment.SegmentAllocator} or {@link io.idgen.core.lease.LeaseStore} throws it for a lost
 * connection, a timeout, or any other failure that may pass without a change of the configuration.
 */
public class StoreUnavailableException extends AllocationException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message the purpose of the call, and the answer of the store, without the code
     */
    public StoreUnavailableException(String message) {
        super(ErrorCode.DATABASE_FAILED, message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the purpose of the call, and the answer of the store, without the code
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
