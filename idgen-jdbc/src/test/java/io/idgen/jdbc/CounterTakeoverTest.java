package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.MariaDbPair;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real replicas that take over while ids are taken, without the commits that granted the last of them. By default
 * {@value #BY_DEFAULT} takeovers of each database; {@code -Didgen.test.takeovers=100} runs more.
 */
@Tag("databases")
class CounterTakeoverTest {
    private static final int BY_DEFAULT = 2;
    private static final int TAKEOVERS = Integer.getInteger("idgen.test.takeovers", BY_DEFAULT);
    private static final int PROCESSES = 4;
    private static final int ENOUGH = 10;
    private static final long REACH = 1_000_000;

    enum Servers {
        POSTGRESQL {
            @Override
            ReplicatedPair start() throws SQLException {
                return new PostgreSqlPair();
            }
        },
        MARIADB {
            @Override
            ReplicatedPair start() {
                return new MariaDbPair();
            }
        };

        abstract ReplicatedPair start() throws SQLException;
    }

    /** The tables of counters, and what takes ids from them as a process does that has just started. */
    private record Counters(List<TableAllocator<?>> tables) {
        static Counters of(DataSource database, String suffix) {
            List<TableAllocator<?>> tables = List.of(
                    new SegmentTable(database), new SequenceTable(database), new SteppedSequence(database, 1, 2));
            return new Counters(tables.stream()
                    .<TableAllocator<?>>map(table -> table.inTable(table.options.table() + suffix)
                            .startingAt(1)
                            .withReach(REACH)
                            .withTimeout(Duration.ofSeconds(1)))
                    .toList());
        }
    }

    /** One process: takes from each table in turn until it is stopped, whatever fails. */
    private static final class Taking {
        final List<Queue<Segment>> taken = new ArrayList<>();
        private final FutureTask<Boolean> ended = new FutureTask<>(this::run, true);
        private final List<? extends SegmentAllocator> tables;
        private volatile boolean ending;

        Taking(Counters counters) {
            this.tables = counters.tables();
            tables.forEach(table -> taken.add(new ConcurrentLinkedQueue<>()));
            new Thread(ended, "taking").start();
        }

        private void run() {
            while (!ending) {
                for (int i = 0; i < tables.size(); i++) {
                    try {
                        taken.get(i).add(tables.get(i).allocate("orders", 10));
                    } catch (AllocationException e) {
                        // an outage, or a row that a process that knows more refuses: it asks again
                    }
                }
            }
        }

        int count() {
            return taken.stream().mapToInt(Collection::size).min().orElseThrow();
        }

        void end() throws Exception {
            ending = true;
            ended.get();
        }
    }

    private static List<Taking> start(DataSource database, String suffix) {
        return IntStream.range(0, PROCESSES)
                .mapToObj(i -> new Taking(Counters.of(database, suffix)))
                .toList();
    }

    private static void awaitMore(List<Taking> processes, String what) throws Exception {
        for (Taking process : processes) {
            int before = process.count();
            Await.until(what, () -> process.count() >= before + ENOUGH);
        }
    }

    /** What processes took before and after a takeover, for each table. */
    private static List<List<List<Segment>>> takeOver(Servers kind, String suffix, boolean oldGoOn) throws Exception {
        try (ReplicatedPair servers = kind.start()) {
            DataSource database = new UrlDataSource(servers.url(), "", "", Duration.ofSeconds(5));
            new IdgenSchema(database).create();
            if (!suffix.isEmpty()) {
                makeTablesWithoutTheColumns(database, suffix);
            }
            List<Taking> all = new ArrayList<>(start(database, suffix));
            try {
                awaitMore(all, "ids that the replica knows");
                servers.cut();
                awaitMore(all, "ids whose commits are lost");
                servers.takeOver();
                List<Taking> fresh = start(database, suffix);
                all.addAll(fresh);
                awaitMore(oldGoOn ? all : fresh, "ids of the new primary");
            } finally {
                for (Taking process : all) {
                    process.end();
                }
            }
            return IntStream.range(0, 3)
                    .mapToObj(table -> all.stream()
                            .map(process -> List.copyOf(process.taken.get(table)))
                            .toList())
                    .toList();
        }
    }

    private static void makeTablesWithoutTheColumns(DataSource database, String suffix) throws SQLException {
        for (TableAllocator<?> table : Counters.of(database, suffix).tables()) {
            AllocationException missing = assertThrows(AllocationException.class, () -> table.allocate("orders", 10));
            String message = String.valueOf(missing.getMessage());
            Sql.execute(
                    database,
                    message.substring(message.indexOf("CREATE TABLE"))
                            .replaceAll("(?m)^ *(server_id|reach|win|used) .*\\R", "")
                            .replace(";", ""));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noIdThatALostCommitHadGrantedIsGrantedAgain(Servers kind) throws Exception {
        for (int i = 0; i < TAKEOVERS; i++) {
            for (List<List<Segment>> ofTable : takeOver(kind, "", true)) {
                JdbcAllocatorContract.assertDisjoint(ofTable);
            }
        }
    }

    /** That the test above finds what it is for. */
    @ParameterizedTest
    @EnumSource
    void fromTablesWithoutTheColumnsIdsRepeat(Servers kind) throws Exception {
        for (List<List<Segment>> ofTable : takeOver(kind, "_bare", false)) {
            assertThat(ofTable).hasSize(2 * PROCESSES);
            assertThrows(AssertionError.class, () -> JdbcAllocatorContract.assertDisjoint(ofTable));
        }
    }
}
