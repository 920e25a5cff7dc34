package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code idgen.strategy=stepped} over three databases, with outages of some of them. */
@Tag("nightly")
class SteppedOutageTest {
    private static final int INSTANCES = 3;

    private final List<Database> databases =
            Stream.generate(TestDatabase.POSTGRESQL::create).limit(INSTANCES).toList();
    private final List<FaultProxy> networks = databases.stream()
            .map(database -> FaultProxy.before(database.url()))
            .toList();
    private IdSources sources;
    private IdSource orders;

    @BeforeEach
    void open() {
        IdSources.Builder builder = IdSources.builder()
                .set("idgen.strategy", "stepped")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.acquire-timeout", "12s") // each instance has a part of it
                .set("idgen.sources.orders.start", "1");
        for (int i = 1; i <= INSTANCES; i++) {
            builder.set("idgen.stepped." + i + ".url", networks.get(i - 1).url());
        }
        sources = builder.build();
        orders = sources.get("orders");
    }

    @AfterEach
    void close() {
        sources.close();
        networks.forEach(FaultProxy::close);
        databases.forEach(Database::close);
    }

    private static boolean isOf(int instance, long id) {
        return id % INSTANCES == instance % INSTANCES;
    }

    private static void awaitIdsOf(int instance, Drawing drawing) throws Exception {
        long before = drawing.count(id -> isOf(instance, id));
        Await.until("ids of instance " + instance, () -> drawing.count(id -> isOf(instance, id)) > before + 20);
    }

    private void oneOfThreeIsAway(Consumer<FaultProxy> fault) throws Exception {
        try (Drawing drawing = new Drawing(orders, 4)) {
            for (int i = 1; i <= INSTANCES; i++) {
                awaitIdsOf(i, drawing);
            }

            fault.accept(networks.get(1));
            drawing.awaitEach(10); // calls that were in progress have ended
            long before = drawing.count(id -> isOf(2, id));
            drawing.awaitEach(50);
            assertThat(drawing.count(id -> isOf(2, id)))
                    .as("ids of the one that is away")
                    .isEqualTo(before);

            networks.get(1).pass();
            awaitIdsOf(2, drawing);

            drawing.endDistinct();
            assertThat(drawing.unavailable()).as("calls without an id").isZero();
        }
    }

    @Test
    void whileOneIsDeadTheOthersServeEveryCallAndItIsUsedAgainWhenItIsBack() throws Exception {
        oneOfThreeIsAway(FaultProxy::refuse);
    }

    @Test
    void whileOneIsSilentTheOthersServeEveryCallAndItIsUsedAgainWhenItIsBack() throws Exception {
        oneOfThreeIsAway(FaultProxy::silence);
    }

    @Test
    void eachDatabaseGivesTheIdsThatAreItsOwn() throws SQLException {
        for (int i = 0; i < 30; i++) {
            orders.nextId();
        }

        for (int i = 1; i <= INSTANCES; i++) {
            long next = Sql.number(databases.get(i - 1).dataSource(), "SELECT next_id FROM idgen_counter");
            assertThat(next).as("next of instance %d", i).isEqualTo(30L + i);
        }
    }

    @Test
    void whileAllAreDownCallersGetAnExceptionAndIdsAgainWhenOneIsBack() throws Exception {
        orders.nextId();
        networks.forEach(FaultProxy::refuse);

        IdUnavailableException e = assertThrows(IdUnavailableException.class, orders::nextId);
        assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(e).hasMessageContaining("none of the 3 instances can allocate ids of 'orders'");
        assertThat(e.getCause())
                .isInstanceOfSatisfying(
                        AllocationException.class,
                        cause -> assertThat(cause.code()).isEqualTo(ErrorCode.DATABASE_FAILED));

        networks.get(2).pass();
        try (Drawing drawing = new Drawing(orders, 1)) {
            awaitIdsOf(3, drawing);
            drawing.endDistinct();
            assertThat(drawing.count(id -> !isOf(3, id))).isZero();
        }
    }
}
