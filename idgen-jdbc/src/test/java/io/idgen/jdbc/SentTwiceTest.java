package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.segment.Segment;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A layer between idgen and the database sends statements twice: a proxy that lost an answer, or a driver. The caller
 * receives the second answer, or the second statement arrives later.
 */
@Tag("matrix")
class SentTwiceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB"})
    @ParameterizedTest
    @Retention(RetentionPolicy.RUNTIME)
    private @interface OnServers {}

    /** An update as it was sent. */
    private record Sent(String sql, Map<Integer, Object> values) {
        int again(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (Map.Entry<Integer, Object> value : values.entrySet()) {
                    statement.setObject(value.getKey(), value.getValue());
                }
                return statement.executeUpdate();
            }
        }
    }

    /** Handles an update in place of its driver. */
    private interface Update {
        int execute(Sent update, Wrapped.Call call) throws Throwable;
    }

    private static DataSource updates(DataSource real, Update update) {
        return Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, real.getConnection(), call -> {
            Object answer = call.proceed();
            return call.is("prepareStatement") && answer instanceof PreparedStatement statement
                    ? recorded(statement, (String) call.arguments()[0], update)
                    : answer;
        }));
    }

    private static PreparedStatement recorded(PreparedStatement statement, String sql, Update update) {
        Map<Integer, Object> values = new HashMap<>();
        return Wrapped.wrap(PreparedStatement.class, statement, call -> {
            Method method = call.method();
            if (method.getName().startsWith("set") && method.getParameterCount() == 2) {
                values.put((Integer) call.arguments()[0], call.arguments()[1]);
            }
            return call.is("executeUpdate") && method.getParameterCount() == 0
                    ? update.execute(new Sent(sql, Map.copyOf(values)), call)
                    : call.proceed();
        });
    }

    private static Database created(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return database;
    }

    // ---- leases ----

    /** Sends every third execution of each statement twice, and returns the second answer. */
    private static DataSource sendingTwice(DataSource real, Set<String> refused) {
        Map<String, Integer> counts = new ConcurrentHashMap<>();
        return updates(real, (sent, call) -> {
            int first = (int) call.proceed();
            if (counts.merge(sent.sql, 1, Integer::sum) % 3 != 1) {
                return first;
            }
            int second = (int) call.proceed();
            if (first == 1 && second == 0) {
                refused.add(sent.sql.substring(0, sent.sql.indexOf(" WHERE")));
            }
            return second;
        });
    }

    @OnServers
    void aRefusalThatIsTheSecondAnswerDoesNotStopTheProcess(TestDatabase kind) throws Exception {
        try (Database database = created(kind)) {
            Set<String> refused = ConcurrentHashMap.newKeySet();
            List<IdgenEvent> events = new CopyOnWriteArrayList<>();
            try (Snowflake ids = snowflake(sendingTwice(database.dataSource(), refused), events)) {
                long last = 0;
                for (int lost = 0; lost < 3; lost = losses(events).size()) {
                    long id = ids.nextId();
                    assertThat(id).isGreaterThan(last);
                    last = id;
                    LockSupport.parkNanos(1_000_000);
                }
            }

            assertThat(losses(events)).isNotEmpty().allMatch(text -> text.contains("a renewal whose answer was lost"));
            assertThat(refused).as("an acquisition and an extension").hasSizeGreaterThanOrEqualTo(2);
        }
    }

    private static List<String> losses(List<IdgenEvent> events) {
        return events.stream()
                .filter(event -> event.kind() == Kind.LEASE_LOST)
                .map(IdgenEvent::text)
                .toList();
    }

    private static Snowflake snowflake(DataSource database, List<IdgenEvent> events) {
        return ShortLeases.times(Snowflake.builder(), Duration.ofSeconds(1), Duration.ofSeconds(4))
                .leasedFrom(new JdbcWorkerIds(database))
                .datacenterId(0)
                .acquireTimeout(PATIENCE, PATIENCE)
                .listener(events::add)
                .build();
    }

    @OnServers
    void aStatementOfALeaseThatArrivesAgainLaterChangesNothing(TestDatabase kind) throws Exception {
        try (Database database = created(kind)) {
            List<Sent> sent = new CopyOnWriteArrayList<>();
            DataSource recording = updates(database.dataSource(), (update, call) -> {
                sent.add(update);
                return (int) call.proceed();
            });
            try (Snowflake ids = snowflake(recording, new ArrayList<>())) {
                ids.nextId();
                Await.until("some renewals", () -> sent.size() > 6);
            }
            List<String> rows = Sql.rows(database.dataSource(), "SELECT * FROM idgen_worker ORDER BY 1, 2");
            try (Connection connection = database.dataSource().getConnection()) {
                for (Sent each : sent) {
                    each.again(connection);
                }
            }

            assertThat(Sql.rows(database.dataSource(), "SELECT * FROM idgen_worker ORDER BY 1, 2"))
                    .isEqualTo(rows);
        }
    }

    // ---- segments ----

    @OnServers
    void aHandBackThatArrivesAgainLaterRepeatsNoId(TestDatabase kind) throws Exception {
        try (Database database = created(kind)) {
            List<Sent> sent = new ArrayList<>();
            Counters closing = new Counters(updates(database.dataSource(), (update, call) -> {
                        sent.add(update);
                        return (int) call.proceed();
                    }))
                    .startingAt(1);
            Counters other = new Counters(database.dataSource());
            Segment unused = closing.allocate("orders", 700);
            sent.clear();
            closing.handBack("orders", List.of(unused));
            assertThat(other.allocate("orders", 700)).isEqualTo(unused);

            try (Connection connection = database.dataSource().getConnection()) {
                for (Sent each : sent) {
                    each.again(connection);
                }
            }
            assertThat(sent).as("a hand-back").isNotEmpty();
            assertThat(new Counters(database.dataSource()).allocate("orders", 700))
                    .isEqualTo(new Segment(701, 700, 1));
        }
    }
}
