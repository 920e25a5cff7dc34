package io.idgen.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.test.InMemoryLeaseStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No source of this module allocates memory when it writes ids into an array of the caller. */
class BatchAllocationTest {
    private static final int BATCHES = 2_000;
    private static final int IDS = 100;
    private static final long ARRAYS = 8L * IDS * BATCHES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static Snowflake.Builder snowflake() {
        return Snowflake.builder().namespace(UUID.randomUUID().toString());
    }

    static Stream<Named<IdSource>> sources() {
        AtomicLong next = new AtomicLong(1);
        return Stream.of(
                Named.of("snowflake", snowflake().workerId(1).build()),
                Named.of(
                        "wide snowflake",
                        snowflake()
                                .layout(SnowflakeLayout.parse("41-0-4-18"))
                                .workerId(1)
                                .build()),
                Named.of(
                        "leased snowflake",
                        snowflake()
                                .leasedFrom(new InMemoryLeaseStore(InstantSource.system()))
                                .build()),
                Named.of(
                        "segments",
                        SegmentIdSource.builder(
                                        (name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1), "orders")
                                .acquireTimeout(Duration.ofSeconds(30))
                                .build()),
                Named.of(
                        "a source of IdSources",
                        IdSources.builder()
                                .source("orders")
                                .set("idgen.worker.assigner", "single-process")
                                .set("idgen.worker.namespace", UUID.randomUUID().toString())
                                .build()
                                .get("orders")));
    }

    private static long allocatedBy(Runnable batch) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < BATCHES; i++) {
            batch.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @MethodSource("sources")
    void idsInAnArrayOfTheCallerNeedNoMemory(IdSource source) {
        try (source) {
            long[] into = new long[IDS];
            allocatedBy(() -> source.nextIds(into, 0, IDS)); // loads classes, opens the source

            long allocated = allocatedBy(() -> source.nextIds(into, 0, IDS));

            // a call that waits for the next tick or segment allocates a little
            assertThat(allocated).isLessThan(ARRAYS / 10);
            assertThat(allocatedBy(() -> source.nextIds(IDS))).isGreaterThan(ARRAYS);
        }
    }
}
