package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.InMemoryLeaseStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Worker ids from an assigner of the application, and leases from a store that the application passes in. */
class WorkerIdAssignerTest {
    private final String namespace = "assigned-" + UUID.randomUUID();
    private final LeaseStore store = new InMemoryLeaseStore(Clock.systemUTC());

    /** A platform that assigns a number to this process. */
    public static final class Slot implements WorkerIdAssigner {
        @Override
        public int workerId() {
            return 7;
        }
    }

    private IdSources.Builder builder() {
        return IdSources.builder()
                .environment(new Properties(), Map.of())
                .set("idgen.worker.namespace", namespace)
                .source("orders");
    }

    private static int worker(IdSources sources) {
        return SnowflakeLayout.IDGEN.parse(sources.get("orders").nextId()).worker();
    }

    private static ConfigurationException refusal(IdSources.Builder builder) {
        return assertThrows(ConfigurationException.class, () -> builder.build().close());
    }

    @Test
    void anObjectThatIsHandedInGivesTheWorkerIdUnlessASettingNamesAnother() {
        try (IdSources sources =
                builder().resource(WorkerIdAssigner.class, () -> 9).build()) {
            assertThat(worker(sources)).isEqualTo(9);
        }
        try (IdSources sources = builder()
                .resource(WorkerIdAssigner.class, () -> 9)
                .set("idgen.worker.assigner", "fixed")
                .set("idgen.worker.id", "3")
                .build()) {
            assertThat(worker(sources)).isEqualTo(3);
        }
    }

    @Test
    void anAssignerThatFailsIsReportedAndNoWorkerIdIsGuessed() {
        ConfigurationException e = refusal(builder().resource(WorkerIdAssigner.class, () -> {
            throw new IllegalStateException("no such file");
        }));

        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_UNKNOWN);
        assertThat(e).hasMessageContaining("no such file").hasRootCauseInstanceOf(IllegalStateException.class);
        ConfigurationException own = new ConfigurationException(ErrorCode.WORKER_ID_UNKNOWN, "ask the operator");
        assertThat(refusal(builder().resource(WorkerIdAssigner.class, () -> {
                    throw own;
                })))
                .isSameAs(own);
    }

    @Test
    void besideAStoreTheNumberIsLeasedAlsoIfNoOtherProcessMayLeaseIt() {
        for (String reserved : List.of("6", "6-7")) {
            IdSources.Builder builder =
                    builder().resource(LeaseStore.class, store).resource(WorkerIdAssigner.class, new Slot());
            try (IdSources sources =
                    builder.set("idgen.worker.reserved", reserved).build()) {
                assertThat(worker(sources)).isEqualTo(7);
                LeaseTerms terms = new LeaseTerms(namespace, SnowflakeLayout.IDGEN, 7, 1);
                assertThat(store.candidates(terms, null).holders()).contains("worker id 7 until ");
            }
        }
    }

    @Test
    void besideAStoreASecondProcessWithTheNumberIsRefusedAndToldWhy() {
        try (IdSources one = builder()
                        .resource(LeaseStore.class, store)
                        .resource(WorkerIdAssigner.class, new Slot())
                        .build();
                IdSources other = builder()
                        .resource(LeaseStore.class, store)
                        .resource(WorkerIdAssigner.class, new Slot())
                        .set("idgen.acquire-timeout", "1s")
                        .build()) {
            assertThat(worker(one)).isEqualTo(7);

            IdGenerationException e = assertThrows(IdGenerationException.class, () -> worker(other));

            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_IDS_TAKEN);
            assertThat(e)
                    .hasMessageContaining("worker id 7 in namespace '" + namespace + "' is leased; the")
                    .hasMessageContaining("give each process its own worker id");
        }
    }

    @Test
    void workerIdsAreLeasedFromAStoreThatIsHandedIn() {
        try (IdSources one = builder().resource(LeaseStore.class, store).build();
                IdSources other = builder()
                        .resource(LeaseStore.class, store)
                        .set("idgen.worker.assigner", "lease-store")
                        .build();
                IdSource first = one.get("orders");
                IdSource second = other.get("orders")) {
            long a = first.nextId();
            long b = second.nextId();

            assertThat(SnowflakeLayout.IDGEN.packWorker(
                            SnowflakeLayout.IDGEN.parse(a).datacenter(),
                            SnowflakeLayout.IDGEN.parse(a).worker()))
                    .isNotEqualTo(SnowflakeLayout.IDGEN.packWorker(
                            SnowflakeLayout.IDGEN.parse(b).datacenter(),
                            SnowflakeLayout.IDGEN.parse(b).worker()));
        }
    }
}
