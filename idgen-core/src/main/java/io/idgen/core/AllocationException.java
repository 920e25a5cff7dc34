package io.idgen.core;

/**
 * A {@link io.idgen.core.segment.SegmentAllocator} or a {@link io.idgen.core.lease.LeaseStore} failed or refused. The
 * database may have committed before the failure; ids that it reserved unseen are a gap, never a duplicate.
 */
public class AllocationException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     */
    public AllocationException(ErrorCode code, String message) {
        super(code, message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     * @param cause the database's error
     */
    public AllocationException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }

    @Override
    public AllocationException forCaller() {
        return new AllocationException(code(), text(), this);
    }
}
