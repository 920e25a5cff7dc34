package io.idgen.core.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.layout.SnowflakeLayout;
import org.junit.jupiter.api.Test;

/** A worker id that needs no store closes at once. */
class WorkerLeaseTest {
    private final Window window = new RisingWindow(SnowflakeLayout.IDGEN, 0, 1, 1_000, 0);
    private final WorkerLease lease = new WorkerLease() {
        @Override
        public Window window() {
            return window;
        }

        @Override
        public SnowflakeSnapshot snapshot(long tickWaits) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void close() {
            window.seal();
        }
    };

    @Test
    void closingWithoutWaitingClosesAtOnceUnlessThereIsAStore() {
        assertThat(lease.closeAsync()).isCompleted();
        assertThat(window.claim(() -> 1_000)).isEqualTo(Window.SEALED);
    }

    @Test
    void callsAfterClosingFailWithSourceClosed() {
        assertThat(WorkerLease.closed("orders"))
                .hasMessageContaining("'orders'")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED));
    }
}
