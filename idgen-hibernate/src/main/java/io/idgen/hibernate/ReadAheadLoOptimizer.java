package io.idgen.hibernate;

import java.io.Serializable;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledLoOptimizer;

/**
 * Hibernate's {@code pooled-lo} optimizer, which fetches ahead as {@link ReadAheadOptimizer} does. A value v of the
 * sequence means the ids v to v + increment - 1. Use it only in place of {@code pooled-lo} or {@code pooled-lotl}: next
 * to processes with any other optimizer, ids repeat.
 *
 * <pre>{@code
 * hibernate.id.optimizer.pooled.preferred=io.idgen.hibernate.ReadAheadLoOptimizer
 * }</pre>
 */
public final class ReadAheadLoOptimizer extends PooledLoOptimizer {
    private final ReadAhead readAhead;

    /**
     * Called by Hibernate.
     *
     * @param returnClass the type of the ids
     * @param incrementSize the increment of the sequence, at least 1; with 1, nothing is fetched ahead
     */
    public ReadAheadLoOptimizer(Class<?> returnClass, int incrementSize) {
        super(returnClass, incrementSize);
        this.readAhead = new ReadAhead(incrementSize, incrementSize - 1);
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
