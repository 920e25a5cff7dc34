package io.idgen.hibernate;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the next value of a sequence before the ids of the value in use are used up. One caller fetches it; all other
 * callers continue. Hibernate's optimizer still derives the ids from the values, so they mean the same as without this
 * class. It reserves at most two blocks: the one in use and the next.
 *
 * <p>Each tenant has its own block, as in Hibernate's optimizers.
 */
final class ReadAhead {
    /**
     * The next value is fetched when a tenth of the block is used. So the rest covers one round trip at the highest
     * rate, and a process that needs one id reserves one block.
     */
    private static final int USED_AT_FETCH = 10;

    private static final System.Logger LOG = System.getLogger(ReadAheadOptimizer.class.getName());

    /**
     * {@link AccessCallback#getNextValue()} of any version. Up to Hibernate 7 it returns an {@code
     * IntegralDataTypeHolder}; in Hibernate 8, which has no such type, it returns a {@code long}.
     */
    private static final MethodHandle GET_NEXT_VALUE = getNextValue();

    private static final String GET_TENANT = "getTenantIdentifier";

    private final int incrementSize;
    private final int lastIdAboveValue;
    private final int fetchAtRemaining;
    private final Map<String, Block> blocks = new ConcurrentHashMap<>();

    /**
     * Creates the state of an optimizer; nothing is fetched before the first id.
     *
     * @param incrementSize the increment of the sequence
     * @param lastIdAboveValue by how much the last id of a block is above the value of the sequence
     */
    ReadAhead(int incrementSize, int lastIdAboveValue) {
        this.incrementSize = incrementSize;
        this.lastIdAboveValue = lastIdAboveValue;
        this.fetchAtRemaining = incrementSize - Math.max(1, incrementSize / USED_AT_FETCH);
    }

    /**
     * Generates an id, and fetches the next value if this caller is the one to do so.
     *
     * @param callback fetches a value with the caller's session
     * @param optimizer derives the id from the values that its callback returns
     */
    Serializable generate(AccessCallback callback, Function<AccessCallback, Serializable> optimizer) {
        if (incrementSize == 1) {
            return optimizer.apply(callback); // each id takes a round trip, and none can be saved
        }
        String tenant = callback.getTenantIdentifier();
        Block block = blocks.computeIfAbsent(tenant == null ? "" : tenant, key -> new Block());
        Serializable id = optimizer.apply(block.valuesFor(callback));
        block.fetchIfDue(callback, ((Number) id).longValue());
        return id;
    }

    /** Forgets the values that are fetched ahead: the sequence starts again. */
    void reset() {
        blocks.clear();
    }

    private final class Block {
        // Held while a value is fetched. Waits for it: a caller that has no ids left. A lock, not synchronized: before
        // JDK 24 (JEP 491) a virtual thread that waits inside a monitor pins its carrier.
        private final ReentrantLock fetching = new ReentrantLock();

        /** The value that is fetched ahead, as the callback returns it. Written with the lock. */
        private volatile @Nullable Object next;

        /** The last id of the block in use. Written with the lock. */
        private volatile long lastId;

        /** Whether fetching ahead has failed: then no caller does, until one has no ids left. Written with the lock. */
        private volatile boolean hasFailed;

        /** The value in use; guarded by the lock. */
        private @Nullable Long value;

        /** Returns a callback for the optimizer, which returns the value that is fetched ahead, if there is one. */
        AccessCallback valuesFor(AccessCallback callback) {
            return (AccessCallback) Proxy.newProxyInstance(
                    AccessCallback.class.getClassLoader(),
                    new Class<?>[] {AccessCallback.class},
                    (proxy, method, args) ->
                            method.getName().equals(GET_TENANT) ? callback.getTenantIdentifier() : take(callback));
        }

        /** Called by the optimizer when the block is used up; the optimizer's other callers wait meanwhile. */
        private Object take(AccessCallback callback) {
            fetching.lock();
            try {
                Object taken = next;
                if (taken == null) {
                    taken = fetch(callback);
                }
                long number = number(taken);
                refuseOverlap(number);
                next = null;
                value = number;
                lastId = number + lastIdAboveValue;
                return taken;
            } finally {
                fetching.unlock();
            }
        }

        /** Fetches the next value if it is time to, and no other caller does. */
        void fetchIfDue(AccessCallback callback, long id) {
            if (isDue(id) && fetching.tryLock()) {
                try {
                    if (isDue(id)) {
                        fetchAhead(callback, lastId - id);
                    }
                } finally {
                    fetching.unlock();
                }
            }
        }

        private boolean isDue(long id) {
            return next == null && lastId - id <= fetchAtRemaining && !hasFailed;
        }

        private void fetchAhead(AccessCallback callback, long remaining) {
            Object fetched;
            try {
                fetched = fetch(callback);
            } catch (RuntimeException e) {
                hasFailed = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        ErrorCode.DATABASE_FAILED
                                + ": the next block of ids could not be fetched ahead, and this caller fails;"
                                + " " + remaining + " ids remain for other callers. The next attempt is when no id"
                                + " remains",
                        e);
                // PostgreSQL has aborted the caller's transaction. If persist returned, it would be rolled back without
                // an exception.
                throw e;
            }
            refuseOverlap(number(fetched));
        }

        /** Fetches a value and keeps it, so that it is never lost, whoever needs it. */
        private Object fetch(AccessCallback callback) {
            Object fetched = nextValue(callback);
            next = fetched;
            hasFailed = false;
            return fetched;
        }

        /**
         * Refuses a value whose block overlaps the block in use. Its value is kept, so all later callers are refused,
         * too.
         */
        private void refuseOverlap(long number) {
            Long used = value;
            if (used != null && number >= used && number - used < incrementSize) {
                throw new AllocationException(
                        ErrorCode.STEP_MISMATCH,
                        "the sequence returned " + number + " after " + used + ", but with allocationSize = "
                                + incrementSize
                                + " each value must be at least that much above the one before, or ids repeat; set"
                                + " allocationSize to the increment of the sequence");
            }
        }
    }

    private static Object nextValue(AccessCallback callback) {
        try {
            return GET_NEXT_VALUE.invokeExact(callback);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // the method declares no exception
        }
    }

    private static long number(Object value) {
        return value instanceof Long number
                ? number
                : ((IntegralDataTypeHolder) value).makeValue().longValue();
    }

    private static MethodHandle getNextValue() {
        try {
            return MethodHandles.publicLookup()
                    .unreflect(AccessCallback.class.getMethod("getNextValue"))
                    .asType(MethodType.methodType(Object.class, AccessCallback.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Hibernate is not supported", e);
        }
    }
}
