package io.idgen.core;

/**
 * The store of segments or leases refuses connections, or nothing listens at its address. Examples are a wrong
 * password, too many connections and a refused port. Unlike with a slow store, a caller gains nothing by waiting.
 * Callers that have no ids left get it at once, as the cause of an {@link IdUnavailableException}. idgen calls the
 * store again in the background, with growing pauses. Remaining ids are still issued.
 *
 * <p>A {@link io.idgen.core.segment.SegmentAllocator} or {@link io.idgen.core.lease.LeaseStore} throws it only if the
 * call has had no effect.
 */
public class StoreUnreachableException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with a cause.
     *
     * @param message the purpose of the call, and the answer of the store, without the code
     * @param cause the error of the store or of its driver
     */
    public StoreUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public StoreUnreachableException forCaller() {
        return new StoreUnreachableException(text(), this);
    }
}
