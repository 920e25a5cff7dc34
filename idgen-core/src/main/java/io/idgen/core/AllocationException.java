package io.idgen.core;

/** A {@link io.idgen.core.segment.SegmentAllocator} could not reserve a segment; whether it reserved one without our hearing of it is a gap. */
public class AllocationException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /**
     * An allocation that was refused.
     *
     * @param code what has happened
     * @param message value, rule and way out
     */
    public AllocationException(ErrorCode code, String message) {
        super(code, message);
    }

    /**
     * An allocation that failed.
     *
     * @param code what has happened
     * @param message value, rule and way out
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
