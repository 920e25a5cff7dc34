package io.idgen.core;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Copies the memory of a {@link LeasedWorker}, as a snapshot of its machine does. */
final class Copies {
    private static final List<Field> STATE = List.of(LeasedWorker.class.getDeclaredFields()).stream()
            .filter(field -> !Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers()))
            .toList();
    private static final Class<?> HELD = List.of(LeasedWorker.class.getDeclaredClasses()).stream()
            .filter(each -> each.getSimpleName().equals("Held"))
            .findFirst()
            .orElseThrow();

    private Copies() {}

    /** Gives a fresh worker the state of another one, which is in no turn; its next turn is planned anew. */
    static void copy(LeasedWorker from, LeasedWorker to, SnowflakeLayout layout, long aheadTicks) {
        for (Field field : STATE) {
            if (!field.getName().equals("next")) {
                set(to, field, get(from, field));
            }
        }
        Window window = copy(from.window(), layout, aheadTicks);
        set(to, field(LeasedWorker.class, "current"), window);
        held(from).ifPresent(held -> {
            Object copy = construct(HELD, get(held, field(HELD, "lease")), get(held, field(HELD, "firstTick")));
            if (get(held, field(HELD, "window")) != null) {
                set(copy, field(HELD, "window"), window);
            }
            set(to, field(LeasedWorker.class, "held"), copy);
        });
        if (get(from, field(LeasedWorker.class, "next")) != null) {
            start(to);
        }
    }

    private static Optional<Object> held(LeasedWorker worker) {
        return Optional.ofNullable(get(worker, field(LeasedWorker.class, "held")));
    }

    private static Window copy(Window from, SnowflakeLayout layout, long aheadTicks) {
        long machine = (long) get(from, field(Window.class, "machine"));
        Window to = new RisingWindow(layout, machine, 1, 0, aheadTicks);
        to.endAt(from.lastTick());
        set(to, field(Window.class, "sealedAt"), get(from, field(Window.class, "sealedAt")));
        reopen(to, from.highest());
        return to;
    }

    /** Has a window go on after a word. */
    static void reopen(Window window, long word) {
        ((AtomicLong) get(window, field(RisingWindow.class, "word"))).set(word);
    }

    /** Worker id, first and last tick that are leased, and of which no window is made yet. */
    static Optional<long[]> queued(LeasedWorker worker, SnowflakeLayout layout) {
        return held(worker)
                .filter(held -> get(held, field(HELD, "window")) == null)
                .map(held -> {
                    LeaseStore.Lease lease = (LeaseStore.Lease) get(held, field(HELD, "lease"));
                    long first = (long) get(held, field(HELD, "firstTick"));
                    return new long[] {lease.machine(), first, layout.tickAt(lease.horizonMillis()) - 1};
                });
    }

    /** Whether its row is still to be given back. */
    static boolean isReleasing(LeasedWorker worker) {
        return (int) get(worker, field(LeasedWorker.class, "releases")) > 0;
    }

    private static ReentrantLock lock(LeasedWorker worker) {
        return (ReentrantLock) get(worker, field(LeasedWorker.class, "lock"));
    }

    private static void start(LeasedWorker worker) {
        ReentrantLock lock = lock(worker);
        lock.lock();
        try {
            Method start = LeasedWorker.class.getDeclaredMethod("start", Duration.class, boolean.class);
            start.setAccessible(true);
            start.invoke(worker, Duration.ZERO, false);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    private static Object construct(Class<?> type, Object... arguments) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private static Object get(Object object, Field field) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Object object, Field field, Object value) {
        try {
            field.setAccessible(true);
            field.set(object, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
