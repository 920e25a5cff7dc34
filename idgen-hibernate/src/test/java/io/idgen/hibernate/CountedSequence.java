package io.idgen.hibernate;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.enhanced.AccessCallback;
import org.jspecify.annotations.Nullable;

/** A sequence in memory, which counts its calls. Its callbacks work with every version of Hibernate. */
final class CountedSequence {
    private final AtomicLong next;
    private final int increment;

    /** The number of calls, also of those that fail. */
    final AtomicInteger calls = new AtomicInteger();

    /** Runs before each value; what it throws reaches the caller. */
    volatile Runnable before = () -> {};

    CountedSequence(long first, int increment) {
        this.next = new AtomicLong(first);
        this.increment = increment;
    }

    AccessCallback callback() {
        return callback(Long.class, null);
    }

    /** Returns a callback as a session of a tenant passes it, for ids of a type. */
    AccessCallback callback(Class<?> type, @Nullable String tenant) {
        return (AccessCallback) Proxy.newProxyInstance(
                AccessCallback.class.getClassLoader(), new Class<?>[] {AccessCallback.class}, (proxy, method, args) -> {
                    if (method.getName().equals("getTenantIdentifier")) {
                        return tenant;
                    }
                    calls.incrementAndGet();
                    before.run();
                    long value = next.getAndAdd(increment);
                    return method.getReturnType() == long.class
                            ? (Object) value
                            : IdentifierGeneratorHelper.getIntegralDataTypeHolder(type)
                                    .initialize(value);
                });
    }
}
