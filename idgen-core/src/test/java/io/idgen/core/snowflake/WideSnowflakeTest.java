package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.test.IdSourceContract;
import io.idgen.test.InMemoryLeaseStore;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Layouts with many ids per tick, in which threads claim blocks: with a fixed worker id, a lease and an exact tick. */
class WideSnowflakeTest {
    // ticks of 10 ms, in which a thread starts and thousands of ids are generated on a busy machine too
    private static final SnowflakeLayout WIDE = SnowflakeLayout.parse("41-0-4-18@10ms");

    private static Snowflake.Builder fixed() {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .layout(WIDE)
                .workerId(1);
    }

    private static Snowflake.Builder leased() {
        return Snowflake.builder()
                .namespace(UUID.randomUUID().toString())
                .layout(WIDE)
                .leasedFrom(new InMemoryLeaseStore(InstantSource.system()));
    }

    @Nested
    class WithAFixedWorkerId extends IdSourceContract {
        @Override
        protected IdSource open() {
            return fixed().build();
        }
    }

    @Nested
    class UnderALease extends IdSourceContract {
        @Override
        protected IdSource open() {
            return leased().build();
        }

        @Test
        void threadsClaimBlocks() throws Exception {
            try (Snowflake ids = leased().build()) {
                AtomicLong elsewhere = new AtomicLong();
                long mine;
                do { // until both ids are of one tick
                    mine = ids.nextId();
                    Thread other = new Thread(() -> elsewhere.set(ids.nextId()));
                    other.start();
                    other.join();
                } while (WIDE.parse(mine)
                        .time()
                        .isBefore(WIDE.parse(elsewhere.get()).time()));

                assertThat(WIDE.parse(elsewhere.get()).sequence() / 64)
                        .isGreaterThan(WIDE.parse(mine).sequence() / 64);
            }
        }
    }

    @Nested
    class WithAnExactTick extends IdSourceContract {
        @Override
        protected IdSource open() {
            return fixed().cachedTick(false).build();
        }
    }

    @Nested
    class UnderALeaseWithAnExactTick extends IdSourceContract {
        @Override
        protected IdSource open() {
            return leased().cachedTick(false).build();
        }
    }

    private static Set<Thread> clockThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("idgen-clock"))
                .collect(Collectors.toSet());
    }

    private static void generate(Snowflake ids) {
        for (int i = 0; i < 10_000; i++) {
            ids.nextId();
        }
    }

    @Test
    void aCachedTickIsRefreshedByAThreadWhileThousandsOfIdsPerTickAreGenerated() {
        try (Snowflake fixed = fixed().build();
                Snowflake leased = leased().build()) {
            for (Snowflake ids : new Snowflake[] {fixed, leased}) {
                Set<Thread> before = clockThreads();
                do {
                    generate(ids);
                    assertThat(Thread.interrupted())
                            .as("the timeout has passed")
                            .isFalse();
                } while (before.containsAll(clockThreads()));
            }
        }
    }
}
