package io.idgen.spring.boot;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.tickets.Customer;
import io.idgen.spring.boot.tickets.Customers;
import io.idgen.spring.boot.tickets.Ticket;
import io.idgen.spring.boot.tickets.TicketShop;
import io.idgen.spring.boot.tickets.Tickets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Spring Data R2DBC on PostgreSQL. All calls are made on threads of Reactor that must not block, under BlockHound, from
 * the first id of the application on.
 */
@Tag("databases")
class R2dbcIdsTest {
    /** The largest id of a column of text is unknown. */
    private static final String TICKETS = "idgen.sources.tickets.start=1";

    /** Blocking calls that BlockHound has seen, also if their error was caught. */
    private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    @AutoClose
    private final FaultProxy idgenOnly = FaultProxy.before(database.plainUrl());

    @BeforeAll
    static void seeBlockingCalls() {
        BlockHound.builder()
                .loadIntegrations()
                // the driver reads random numbers while it logs in
                .blockingMethodCallback(method -> {
                    BLOCKED.add(method.toString());
                    throw new BlockingOperationError(method);
                })
                .allowBlockingCallsInside("com.ongres.scram.common.ScramFunctions", "nonce")
                .install();
    }

    @BeforeEach
    void tables() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer (id bigint PRIMARY KEY, name varchar(100))");
            statement.execute("INSERT INTO customer VALUES (7, 'Dorothea')");
            statement.execute("CREATE TABLE ticket (id varchar(13) PRIMARY KEY, seat varchar(10))");
        }
    }

    @AfterEach
    void noThreadWasBlocked() {
        assertThat(BLOCKED).isEmpty();
    }

    private ConfigurableApplicationContext start(String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "spring.autoconfigure.exclude=", // application.properties excludes R2DBC
                "spring.r2dbc.url=" + database.plainUrl().replace("jdbc:", "r2dbc:"),
                "spring.r2dbc.username=" + database.user(),
                "spring.r2dbc.password=" + database.password(),
                "idgen.jdbc.url=" + idgenOnly.url(),
                "idgen.jdbc.user=" + database.user(),
                "idgen.jdbc.password=" + database.password(),
                "idgen.jdbc.initialize-schema=always",
                "spring.main.banner-mode=off",
                "logging.level.root=warn"));
        all.addAll(Arrays.asList(settings));
        return new SpringApplicationBuilder(TicketShop.class)
                .web(WebApplicationType.NONE)
                .run(all.stream().map(setting -> "--" + setting).toArray(String[]::new));
    }

    /** Subscribes on a thread that must not block, and waits for the result on this one. */
    private static <T> T result(Mono<T> work) {
        return work.subscribeOn(Schedulers.parallel())
                .blockOptional(ofSeconds(60))
                .orElseThrow();
    }

    @Test
    void aBlockingCallIsNoticed() {
        try (ConfigurableApplicationContext shop =
                start("idgen.sources.orders.strategy=sequence-table", "idgen.sources.orders.start=1")) {
            IdSources sources = shop.getBean(IdSources.class);

            assertThatThrownBy(() ->
                            result(Mono.fromCallable(() -> sources.get("orders").nextIds(100))))
                    .isNotNull();
            assertThat(BLOCKED).as("without this the other tests prove nothing").isNotEmpty();
            BLOCKED.clear();
        }
    }

    @Test
    void aNewRowGetsASnowflakeAndIsInserted() {
        try (ConfigurableApplicationContext shop = start()) {
            Customers customers = shop.getBean(Customers.class);
            Customer saved = result(customers.save(new Customer(null, "Edward")));

            assertThat(saved.id()).isGreaterThan(1L << 40);
            assertThat(result(customers.findById(saved.id()))).isEqualTo(saved);
        }
    }

    @Test
    void anIdOfTextIsEncoded() {
        try (ConfigurableApplicationContext shop = start()) {
            Ticket saved = result(shop.getBean(Tickets.class).save(new Ticket(null, "12F")));

            assertThat(saved.id()).hasSize(13).startsWith("0");
        }
    }

    @Test
    void aRowWithAnIdKeepsIt() {
        try (ConfigurableApplicationContext shop = start()) {
            Customers customers = shop.getBean(Customers.class);
            result(customers.save(new Customer(7L, "Dorothea Ladislaw")));

            assertThat(result(customers.findById(7L)).name()).isEqualTo("Dorothea Ladislaw");
        }
    }

    @Test
    void idsOfATableBeginAboveItsRowsAndManyInsertsGetDifferentOnes() {
        try (ConfigurableApplicationContext shop = start("idgen.strategy=sequence-table", TICKETS)) {
            Customers customers = shop.getBean(Customers.class);
            List<Long> ids = result(Flux.range(0, 500)
                    .flatMap(i -> customers.save(new Customer(null, "No. " + i)), 64)
                    .map(Customer::id)
                    .collectList());

            assertThat(ids)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(8, 508).mapToObj(Long::valueOf).toList());
        }
    }

    @Test
    void anOutageOfTheDatabaseOfTheIdsFailsTheRequestAndBlocksNoThread() {
        try (ConfigurableApplicationContext shop =
                start("idgen.strategy=sequence-table", TICKETS, "idgen.acquire-timeout=1s", "idgen.jdbc.timeout=1s")) {
            Customers customers = shop.getBean(Customers.class);
            result(customers.save(new Customer(null, "Edward")).retry(30)); // a loaded machine may take longer

            idgenOnly.refuse();
            assertThatThrownBy(() -> result(customers.save(new Customer(null, "Will"))))
                    .isInstanceOf(IdUnavailableException.class);

            idgenOnly.pass();
            Customer saved = result(customers.save(new Customer(null, "Celia")).retry(30));
            assertThat(saved.id()).isGreaterThan(8);
        }
    }
}
