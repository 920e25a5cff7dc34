package io.idgen.cli.oncall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** The processes of an application, and all ids that they have generated. */
final class Shop implements AutoCloseable {
    /** A source with a leased worker id. */
    static final String LEASED = "leased";

    /** A source with a row in {@code idgen_counter}, which fetches few ids at a time. */
    static final String ORDERS = "orders";

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Map<String, Set<Long>> ids = new ConcurrentHashMap<>();
    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();

    /** Adds settings of the form {@code key=value}, and a source with a leased worker id. */
    static IdSources.Builder configure(IdSources.Builder builder, List<String> settings) {
        builder.source(LEASED);
        settings.forEach(each -> builder.set(each.split("=", 2)[0], each.split("=", 2)[1]));
        return builder;
    }

    /** Adds an id that a process has generated. Fails if a process of the shop has generated it before. */
    long add(String source, long id) {
        assertThat(ids.computeIfAbsent(source, name -> ConcurrentHashMap.newKeySet())
                        .add(id))
                .as("%s of %s is new", id, source)
                .isTrue();
        return id;
    }

    /** A process in this JVM. */
    final class Process implements AutoCloseable {
        private final IdSources sources;

        private Process(IdSources sources) {
            this.sources = sources;
        }

        /** Generates an id. Fails if a process of the shop has generated it before. */
        long next(String source) {
            return add(source, nextUnchecked(source));
        }

        void next(String source, int count) {
            for (int i = 0; i < count; i++) {
                next(source);
            }
        }

        /** Generates an id that may be a repeated one. */
        long nextUnchecked(String source) {
            return sources.get(source).nextId();
        }

        IdGenerationException failure(String source) {
            return assertThrows(IdGenerationException.class, () -> next(source));
        }

        /** Repeats the call until there is an id, as an application does. */
        long await(String source, Duration longest) {
            long deadlineNanos = System.nanoTime() + longest.toNanos();
            while (true) {
                try {
                    return next(source);
                } catch (IdGenerationException e) {
                    if (System.nanoTime() - deadlineNanos > 0) {
                        throw new AssertionError("no id within " + longest, e);
                    }
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }

        SourceSnapshot snapshot(String source) {
            SourceSnapshot snapshot = sources.snapshot(source);
            assertThat(snapshot).isNotNull();
            return snapshot;
        }

        @Override
        public void close() {
            sources.close();
        }
    }

    Process start(IdSources.Builder settings) {
        Process process = new Process(settings.build());
        ends.add(process::close);
        return process;
    }

    /** Starts a process in a JVM of its own. */
    ShopJvm startJvm(List<String> settings) throws IOException {
        ShopJvm process = new ShopJvm(this, settings);
        ends.add(process::close);
        return process;
    }

    /** Returns whether a process of the shop has generated this id. */
    boolean has(String source, long id) {
        return ids.getOrDefault(source, Set.of()).contains(id);
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
