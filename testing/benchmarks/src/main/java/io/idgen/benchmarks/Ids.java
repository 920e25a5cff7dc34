package io.idgen.benchmarks;

import io.idgen.core.IdSource;

/** A generator, as its users call it. */
interface Ids {
    long nextId();

    /** Puts ids into an array, by one call if the generator has such a call. */
    default void fill(long[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = nextId();
        }
    }

    /** Returns ids in a new array, by one call if the generator has such a call. */
    default long[] nextIds(int count) {
        long[] ids = new long[count];
        fill(ids);
        return ids;
    }

    static Ids of(IdSource source) {
        return new Ids() {
            @Override
            public long nextId() {
                return source.nextId();
            }

            @Override
            public void fill(long[] into) {
                source.nextIds(into, 0, into.length);
            }

            @Override
            public long[] nextIds(int count) {
                return source.nextIds(count);
            }
        };
    }
}
