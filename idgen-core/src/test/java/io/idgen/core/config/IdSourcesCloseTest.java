package io.idgen.core.config;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.segment.Caller;
import io.idgen.core.segment.MemoryRow;
import io.idgen.core.segment.RefillThreads;
import io.idgen.core.segment.Segment;
import io.idgen.core.snowflake.Snowflake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks how long the sources of an application take to close together. */
class IdSourcesCloseTest {
    private static final int SOURCES = 20;

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger handingBack = new AtomicInteger();
    private final AtomicInteger releasing = new AtomicInteger();
    private final List<String> course = new ArrayList<>();
    private final RefillThreads refills = new RefillThreads("refills", SOURCES);

    @AfterEach
    void endThreads() {
        answer.countDown();
        refills.close();
    }

    private void awaitAnswer() {
        try {
            assertThat(answer.await(60, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns ids. Its hand-back blocks until the end of the test. */
    private final class Silent extends MemoryRow {
        @Override
        public void handBack(String name, List<Segment> newestFirst) {
            handingBack.incrementAndGet();
            awaitAnswer();
        }
    }

    /**
     * Opens segment sources. For the name {@code leased}, it opens a snowflake whose store blocks in the release of the
     * lease.
     */
    private final class Strategy implements IdStrategy {
        @Override
        public String name() {
            return "silent";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(Long.MAX_VALUE, () -> open(context));
        }

        private IdSource open(SourceContext context) {
            context.shared("pool", () -> () -> course.add("the pool is closed"));
            return context.name().equals("leased")
                    ? leased()
                    : context.segments(new Silent()).refills(refills).build();
        }

        private Snowflake leased() {
            SimulatedDatabase database = new SimulatedDatabase(new VirtualTime());
            database.set(
                    0,
                    new WorkerRow(
                            0, LeaseTerms.layoutAndTimes(SnowflakeLayout.IDGEN), 0, null, 0, 0, database.server()));
            SimulatedStore.Link link = new SimulatedStore.Link() {
                @Override
                public <T> T call(String statement, Supplier<T> work) {
                    if (statement.equals("release")) {
                        releasing.incrementAndGet();
                        awaitAnswer();
                    }
                    return work.get();
                }
            };
            return Snowflake.builder()
                    .leasedFrom(new SimulatedStore(database, link, Flaw.NONE))
                    .build();
        }
    }

    @Test
    void twentySourcesOverASilentDatabaseAndALeaseAreAwaitedOnceAllTogether() {
        IdSources.Builder builder = IdSources.builder()
                .environment(new Properties(), Map.of())
                .strategy(new Strategy())
                .set("idgen.strategy", "silent")
                .source("leased");
        List<IdSource> opened = new ArrayList<>();
        for (int i = 0; i < SOURCES; i++) {
            builder.source("s" + i);
        }
        IdSources sources = builder.build();
        for (int i = 0; i < SOURCES; i++) {
            opened.add(sources.get("s" + i));
        }
        opened.add(sources.get("leased"));
        opened.forEach(IdSource::warmUp);

        Consumer<CompletableFuture<?>> waiting = pending -> {
            Caller.until("all hand-backs", () -> handingBack.get() == SOURCES);
            Caller.until("a release", () -> releasing.get() == 1);
            assertThat(pending).isNotDone();
            course.add("the deadline has passed");
        };
        sources.close(waiting);
        sources.close(waiting);

        assertThat(course).containsExactly("the deadline has passed", "the pool is closed");
        assertThat(opened)
                .allSatisfy(source -> assertThat(assertThrows(IdGenerationException.class, source::nextId)
                                .code())
                        .isEqualTo(ErrorCode.SOURCE_CLOSED));
        assertThat(handingBack).hasValue(SOURCES);
    }

    @Test
    void anInterruptEndsTheWaitAndStays() {
        Thread.currentThread().interrupt();

        CloseWait.await(new CompletableFuture<>());

        assertThat(Thread.interrupted()).isTrue();
    }
}
