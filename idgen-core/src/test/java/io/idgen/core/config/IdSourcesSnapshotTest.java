package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The snapshots of an application's sources. */
class IdSourcesSnapshotTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static IdSources.Builder sources() {
        return IdSources.builder()
                .environment(new Properties(), Map.of())
                .clock(InstantSource.fixed(NOW))
                .set("idgen.worker.namespace", "snapshots")
                .set("idgen.worker.assigner", "fixed")
                .set("idgen.worker.id", "7");
    }

    /** A strategy whose sources have no snapshot. */
    private static final class Counting implements IdStrategy {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            return new SourcePlan(Long.MAX_VALUE, () -> new IdSource() {
                private long last;

                @Override
                public synchronized long nextId() {
                    return ++last;
                }

                @Override
                public void close() {
                    // nothing to close
                }
            });
        }
    }

    @Test
    void aSourceHasASnapshotOnceItIsOpenAndKeepsItAfterClosing() {
        IdSources sources = sources().source("orders").source("lines").build();
        assertThat(sources.names()).containsExactly("lines", "orders");
        assertThat(sources.snapshots()).isEmpty();
        assertThat(sources.snapshot("orders")).isNull();
        assertThat(sources.snapshot("no such name")).isNull();

        sources.get("orders");
        SnowflakeSnapshot open = new SnowflakeSnapshot(
                "snapshots",
                0,
                7,
                NOW,
                Duration.ZERO,
                null,
                null,
                Instant.parse("2093-09-06T15:47:35.551Z"),
                true,
                null,
                null,
                SourceSnapshot.Waits.NONE,
                0,
                null,
                0);
        assertThat(sources.snapshots()).isEqualTo(Map.of("orders", open));
        assertThat(sources.snapshot("orders")).isEqualTo(open);
        assertThat(open.leaseLeft()).isNull();

        sources.get("lines"); // the same generator
        assertThat(sources.snapshots()).isEqualTo(Map.of("lines", open, "orders", open));

        sources.close();
        assertThat(sources.snapshots().values()).allSatisfy(snapshot -> {
            assertThat(snapshot.ended()).isEqualTo(ErrorCode.SOURCE_CLOSED);
            assertThat(snapshot.hasIds()).isFalse();
        });
    }

    @Test
    void aSourceWithoutASnapshotIsLeftOut() {
        try (IdSources sources = sources()
                .strategy(new Counting())
                .set("idgen.sources.own.strategy", "counting")
                .source("orders")
                .build()) {
            sources.get("own");
            sources.get("orders");

            assertThat(sources.snapshots()).containsOnlyKeys("orders");
        }
    }
}
