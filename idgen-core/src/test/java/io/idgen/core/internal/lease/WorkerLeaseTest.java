package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import org.junit.jupiter.api.Test;

class WorkerLeaseTest {
    @Test
    void callsAfterClosingFailWithSourceClosed() {
        assertThat(WorkerLease.closed("orders"))
                .hasMessageContaining("'orders'")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CLOSED));
    }
}
