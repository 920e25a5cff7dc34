package io.idgen.examples.withouthibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.IdgenDataAutoConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Two processes with MyBatis-Plus insert into one table. By default, MyBatis-Plus derives 5 bits of its worker id from
 * the hardware address and 5 from the process id. In containers, the process id is the same in all pods, often 1. So
 * only 5 bits of the hardware address distinguish pods: among seven pods, two are equal with a probability of one half.
 *
 * <p>This test has one host and no containers: the hardware address is the same, and the process ids differ. It starts
 * processes until two of them have the same 5 bits, which happens after 33 at the latest. From then on, those two
 * processes are like two such pods.
 */
@Tag("matrix")
class MybatisPlusCollisionTest {
    private static final int WORKERS = 32;

    private final List<WaitingProcess> processes = new ArrayList<>();
    private final Database database = TestDatabase.H2.createShared();
    private final JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());

    @BeforeEach
    void tables() {
        new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).execute(database.dataSource());
    }

    @AfterEach
    void end() {
        try (database) {
            processes.forEach(WaitingProcess::close);
        }
    }

    /** Returns two processes to which MyBatis-Plus gives the same worker id. They wait for input. */
    private List<WaitingProcess> twoOfOneWorkerId(List<String> arguments) throws IOException {
        Map<Integer, WaitingProcess> byWorkerId = new HashMap<>();
        while (processes.size() <= WORKERS) {
            WaitingProcess next = new WaitingProcess(InsertingProcess.class, arguments);
            processes.add(next);
            WaitingProcess other = byWorkerId.put(workerId(next.pid()), next);
            if (other != null) {
                processes.stream().filter(each -> each != next && each != other).forEach(WaitingProcess::close);
                return List.of(other, next);
            }
        }
        throw new AssertionError("33 processes have 33 worker ids of 5 bits");
    }

    /** Calculates the worker id as MyBatis-Plus does in {@code Sequence.getMaxWorkerId}. */
    private static int workerId(long pid) {
        long datacenterId = (DefaultIdentifierGenerator.getInstance().nextId(null) >> 17) & 31;
        return ((datacenterId + "" + pid).hashCode() & 0xffff) % WORKERS;
    }

    private List<String> arguments(int orders, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                Integer.toString(orders),
                "spring.datasource.url=" + database.url() + ";LOCK_TIMEOUT=60000",
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "spring.sql.init.mode=never",
                "logging.level.root=error",
                "idgen.jdbc.initialize-schema=always"));
        arguments.addAll(List.of(settings));
        return arguments;
    }

    private static List<Long> firstIds(List<WaitingProcess> two) throws IOException {
        for (WaitingProcess process : two) {
            process.goOn();
        }
        return two.stream().map(process -> Long.valueOf(process.awaits("\\d+"))).toList();
    }

    /** Lets the processes continue, and returns how each of them ends. */
    private static List<CompletableFuture<String>> ends(List<WaitingProcess> two) throws IOException {
        for (WaitingProcess process : two) {
            process.goOn();
        }
        return two.stream()
                .map(process -> CompletableFuture.supplyAsync(
                        () -> process.awaits(InsertingProcess.PLACED + "|" + InsertingProcess.DUPLICATE),
                        MybatisPlusCollisionTest::inThreadOfItsOwn))
                .toList();
    }

    /**
     * Starts a thread. On two processors, the common pool of JDK 25 has one thread, which would wait for only one
     * process.
     */
    private static void inThreadOfItsOwn(Runnable task) {
        Thread thread = new Thread(task, "waits for a process");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void theFormulaIsThatOfMybatisPlus() {
        long id = DefaultIdentifierGenerator.getInstance().nextId(null);

        assertThat(workerId(ProcessHandle.current().pid())).isEqualTo((int) (id >> 12) & 31);
    }

    @Test
    void twoProcessesCollideWithTheDefaultOfMybatisPlus() throws Exception {
        List<WaitingProcess> two = twoOfOneWorkerId(arguments(
                1_000_000, "spring.autoconfigure.exclude=" + IdgenDataAutoConfiguration.class.getName()));

        assertThat(firstIds(two))
                .map(id -> (id >> 12) & 1023)
                .satisfies(workers -> assertThat(workers.get(0)).isEqualTo(workers.get(1)));
        CompletableFuture<Object> first = CompletableFuture.anyOf(ends(two).toArray(CompletableFuture[]::new));
        assertThat(first.get()).isEqualTo(InsertingProcess.DUPLICATE);
    }

    @Test
    void theSameTwoProcessesDoNotCollideWithIdsOfIdgen() throws Exception {
        int orders = 1000;
        List<WaitingProcess> two = twoOfOneWorkerId(arguments(orders));

        assertThat(firstIds(two))
                .map(id -> SnowflakeLayout.IDGEN.parse(id).worker())
                .doesNotHaveDuplicates();
        for (CompletableFuture<String> end : ends(two)) {
            assertThat(end.get()).isEqualTo(InsertingProcess.PLACED);
        }
        assertThat(jdbc.queryForObject("SELECT count(*) FROM customer_order", Integer.class))
                .isEqualTo(2 * orders);
        assertThat(jdbc.queryForObject("SELECT count(*) FROM order_line", Integer.class))
                .isEqualTo(4 * orders);
    }
}
