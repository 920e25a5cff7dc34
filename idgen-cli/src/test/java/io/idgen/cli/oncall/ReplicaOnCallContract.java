package io.idgen.cli.oncall;

import static io.idgen.cli.oncall.Shop.LEASED;
import static io.idgen.cli.oncall.Shop.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.SourceSnapshot;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** OnCallContract in which processes get to a replica, or in which one takes over. */
abstract class ReplicaOnCallContract extends DatabaseOnCallContract {
    private static final String FIXED_IDENTITY = "idgen.jdbc.server-identity=db-1";

    abstract void makeReplicaReadOnly(DataSource replica) throws SQLException;

    /** A setting that makes a former primary have the identity that it had before. */
    abstract String[] identity();

    @Test
    void failoverAndFailback() throws Exception {
        pair.close();
        begin(true);
        Guide guide = Guide.to("replica promoted");
        String promotion = guide.code("idgen repair after-promotion --url");
        Shop.Process running = start(identity());
        running.next(LEASED, 3);
        running.next(ORDERS, 30);
        for (String event : List.of("Failover", "Failback")) {
            pair.cut();
            running.next(ORDERS, 40); // the replica lacks these
            try (Shop.Process lost = start(identity())) {
                lost.next(LEASED, 3);
            }
            leadTo(pair.replicaUrl()); // too early
            makeReplicaReadOnly(Wrapped.dataSource(() -> DriverManager.getConnection(pair.replicaUrl())));
            symptom(failureOf(running, ORDERS), ErrorCode.IDS_UNAVAILABLE);
            doctor("idgen doctor", ExitCodes.FOUND, "changes .*this server accepts no changes");
            assertThat(type(promotion).refusal()).contains("promote it first");

            pair.takeOver();
            leadTo(pair.url());
            assertThat(type(promotion).printed()).contains("repaired idgen_worker", "idgen_counter orders: ");

            idsAgain(running, ORDERS);
            try (Shop.Process next = start(identity())) {
                next.await(LEASED, SOON);
                next.next(LEASED, 100);
            }
            running.next(LEASED, 100);
        }
        running.close();
        pair.cut();
        Set<Long> lost = new HashSet<>();
        try (Shop.Process before = start(identity())) {
            LongStream.range(0, 40).forEach(i -> lost.add(before.next(ORDERS)));
        }
        for (int i = 0; i < 2; i++) {
            pair.takeOver();
            pair.cut();
        }
        leadTo(pair.url());
        try (Shop.Process control = start(identity())) {
            assertThat(lost).as("control: without the command, ids repeat").contains(control.nextUnchecked(ORDERS));
        }
    }

    /** Another system keeps the payments of orders. */
    @Test
    void duplicateKeysAfterAFailover() throws Exception {
        Shop.Process running = start(FIXED_IDENTITY);
        Map<Long, String> payments = new TreeMap<>();
        for (int i = 0; i < 25; i++) {
            long id = running.next(ORDERS);
            insert(id, "before");
            payments.put(id, "before");
        }
        pair.cut();
        Instant lastCommit = Instant.now();
        List<Long> lost = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long id = running.next(ORDERS);
            insert(id, "lost");
            lost.add(id);
            payments.put(id, "lost");
        }
        List<String> copyOfTheOldPrimary = Sql.rows(owner(), "SELECT id FROM orders WHERE item = 'lost'");
        running.close();
        pair.takeOver();
        leadTo(pair.url());
        List<Long> repeated = new ArrayList<>();
        Shop.Process control = start(FIXED_IDENTITY);
        for (int i = 0; i < 40; i++) {
            long id = control.nextUnchecked(ORDERS);
            insert(id, "after");
            if (payments.putIfAbsent(id, "after") != null) {
                repeated.add(id);
            }
        }
        assertThat(repeated).as("control: without the page, ids repeat").isNotEmpty();
        Guide guide = Guide.to("duplicate keys");

        control.close();
        doctor(guide.code("idgen doctor"), ExitCodes.OK, "counter .*orders: next id");
        List<String> ids = new ArrayList<>(copyOfTheOldPrimary);
        ids.addAll(Sql.rows(owner(), "SELECT id FROM orders WHERE item = 'after'"));
        String analyze = Guide.to("look for equal ids").code("psql").replaceFirst(".*\\| idgen ", "");
        Run found = Run.withInput(String.join("\n", ids), analyze.split(" "));
        System.out.println(found.out());
        assertThat(found.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(found.out()).contains("duplicates: " + repeated.size() + ".");
        for (String each : guide.all("idgen repair")) {
            assertThat(type(each, lastCommit).printed())
                    .contains(each.endsWith("--yes") ? "repaired " : "dry run, would repair ")
                    .contains("idgen_counter orders: ");
        }
        Shop.Process next = start(FIXED_IDENTITY);
        idsAgain(next, ORDERS);
        for (long each : lost) {
            long id = next.next(ORDERS);
            insert(id, "lost");
            payments.remove(each, "lost");
            assertThat(payments.put(id, "lost")).isNull();
        }
        repeated.forEach(each -> assertThat(payments.putIfAbsent(each, "after")).isNull());
        assertThat(Sql.rows(owner(), "SELECT id, item FROM orders ORDER BY id"))
                .isEqualTo(payments.entrySet().stream()
                        .map(each -> each.getKey() + " | " + each.getValue())
                        .collect(Collectors.toList()));
    }

    @Test
    void degraded() throws Exception {
        Shop.Process running = start();
        running.next(LEASED);
        pair.awaitReplica();
        leadTo(pair.replicaUrl());
        makeReplicaReadOnly(Wrapped.dataSource(() -> DriverManager.getConnection(pair.replicaUrl())));
        Await.until("an outage", () -> running.snapshot(LEASED).health() == SourceSnapshot.Health.DEGRADED);
        Guide guide = Guide.to("DEGRADED");

        doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "changes .*this server accepts no changes");
        running.next(LEASED, 1_000);
        assertThat(guide.text()).contains("Do not restart the process");
        Shop.Process control = start("idgen.acquire-timeout=3s");
        symptom(control.failure(LEASED), ErrorCode.IDS_UNAVAILABLE);
        leadTo(pair.url());

        idsAgain(control, LEASED);
        Await.until("the end of the outage", () -> running.snapshot(LEASED).health() == SourceSnapshot.Health.UP);
        running.next(LEASED, 1_000);
    }
}
