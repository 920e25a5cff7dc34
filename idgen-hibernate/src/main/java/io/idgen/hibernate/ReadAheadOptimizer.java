package io.idgen.hibernate;

import java.io.Serializable;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledOptimizer;

/**
 * Hibernate's {@code pooled} optimizer, which fetches the next block of ids before the block in use is used up. So
 * callers do not wait for the sequence, except for the one that fetches. Set by one property, without a change of
 * entities or data:
 *
 * <pre>{@code
 * hibernate.id.optimizer.pooled.preferred=io.idgen.hibernate.ReadAheadOptimizer
 * }</pre>
 *
 * <p>A value v of the sequence means the ids v - increment + 1 to v, as in Hibernate's default optimizer. So processes
 * with and without this class can use the same sequence at the same time, and you can remove the property at any time.
 * If the property is {@code pooled-lo} or {@code pooled-lotl} today, use {@link ReadAheadLoOptimizer}: with this class,
 * ids would repeat.
 *
 * <p>When a tenth of a block is used, one caller fetches the next value with its own session. If that fails, this
 * caller fails, as without this class, because its transaction may be aborted. All others continue while ids remain.
 * The next attempt is when no id remains. A process reserves at most two blocks.
 *
 * <p>Safe for many threads. Ids of a process rise as the sequence rises. It starts no thread, and fetches nothing
 * before the first id.
 */
public final class ReadAheadOptimizer extends PooledOptimizer {
    private final ReadAhead readAhead;

    /**
     * Called by Hibernate.
     *
     * @param returnClass the type of the ids
     * @param incrementSize the increment of the sequence, at least 1; with 1, nothing is fetched ahead
     */
    public ReadAheadOptimizer(Class<?> returnClass, int incrementSize) {
        super(returnClass, incrementSize);
        this.readAhead = new ReadAhead(incrementSize, 0);
    }

    @Override
    public Serializable generate(AccessCallback callback) {
        return readAhead.generate(callback, super::generate);
    }

    /** Called by Hibernate 7.2 and later when the sequence starts again. */
    @Override
    public void reset() {
        super.reset();
        readAhead.reset();
    }
}
