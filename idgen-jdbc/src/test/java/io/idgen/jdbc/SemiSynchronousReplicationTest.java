package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A primary of MySQL that reports a commit after its replica has received it ({@code rpl_semi_sync_source_wait_point =
 * AFTER_SYNC}), and takeovers of the replica. The control takes all servers for the same one, so it repeats the ids
 * that a takeover loses.
 */
@Timeout(300)
@Tag("mysql")
class SemiSynchronousReplicationTest {
    private static final String CONTROL = "idgen.jdbc.server-identity=all servers";
    private static final String PREFIX = "control_";
    private static final String OTHER_TABLES = "idgen.jdbc.table-prefix=" + PREFIX;
    private static final List<String> STRATEGIES = List.of(MixedLoad.SEGMENT, MixedLoad.SEQUENCE_TABLE);
    private static final int IDS = 50;

    @AutoClose
    private static CrashPair servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = CrashPair.ofSemiSynchronousMySql();
    }

    @BeforeEach
    void makeTables() throws SQLException {
        Sql.execute(database(), "DROP DATABASE idgen");
        Sql.execute(
                new UrlDataSource(servers.url().replace("/idgen?", "/mysql?"), "", "", timeout()),
                "CREATE DATABASE idgen");
        new IdgenSchema(database()).create();
        new IdgenSchema(database()).withPrefix(PREFIX).create();
        assertThat(status()).containsExactly("Rpl_semi_sync_source_status | ON");
    }

    private static Duration timeout() {
        return Duration.ofSeconds(30);
    }

    private static DataSource database() {
        return new UrlDataSource(servers.url(), "", "", timeout());
    }

    private static List<String> status() throws SQLException {
        return Sql.rows(database(), "SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_status'");
    }

    /** Generates ids with each strategy. */
    private static List<Set<Long>> ids(IdSources process) {
        return STRATEGIES.stream()
                .map(process::get)
                .<Set<Long>>map(source ->
                        new HashSet<>(Stream.generate(source::nextId).limit(IDS).toList()))
                .toList();
    }

    /** Returns how many ids of each strategy are in both lists. */
    private static List<Integer> repeated(List<Set<Long>> some, List<Set<Long>> others) {
        return IntStream.range(0, STRATEGIES.size())
                .mapToObj(i -> {
                    Set<Long> both = new HashSet<>(some.get(i));
                    both.retainAll(others.get(i));
                    return both.size();
                })
                .toList();
    }

    /** The replica has received the last ids, and executes them before its promotion. */
    @Test
    void aTakeoverLosesNoIdThatACallerHas() throws Exception {
        List<Set<Long>> ids;
        try (IdSources control = MixedLoad.sources(servers.url(), CONTROL)) {
            ids(control);
            servers.pauseReplica();
            ids = ids(control);
        }

        servers.takeOver();
        try (IdSources control = MixedLoad.sources(servers.url(), CONTROL)) {
            assertThat(repeated(ids(control), ids)).containsOnly(0);
        }
    }

    /** The primary then continues without its replica, as in asynchronous replication. */
    @Test
    void afterTheTimeoutATakeoverLosesIdsWhichOnlyTheControlRepeats() throws Exception {
        List<Set<Long>> lost;
        List<Set<Long>> lostByControl;
        Sql.execute(database(), "SET GLOBAL rpl_semi_sync_source_timeout = 100");
        try (IdSources process = MixedLoad.sources(servers.url());
                IdSources control = MixedLoad.sources(servers.url(), CONTROL, OTHER_TABLES)) {
            ids(process);
            ids(control);
            servers.cut();
            lost = ids(process);
            lostByControl = ids(control);
        }
        assertThat(status()).containsExactly("Rpl_semi_sync_source_status | OFF");

        servers.takeOver();
        try (IdSources process = MixedLoad.sources(servers.url());
                IdSources control = MixedLoad.sources(servers.url(), CONTROL, OTHER_TABLES)) {
            assertThat(repeated(ids(process), lost)).containsOnly(0);
            assertThat(repeated(ids(control), lostByControl)).allMatch(count -> count > 0);
        }
    }

    /** No caller gets an id that the replica has not received, also if the driver cancels the statement. */
    @Test
    void aPrimaryThatWaitsForItsReplicaIsAnOutageThatEndsWithATakeover() throws Exception {
        List<Set<Long>> ids;
        try (IdSources process =
                MixedLoad.sources(servers.url(), CONTROL, "idgen.jdbc.timeout=3s", "idgen.acquire-timeout=5s")) {
            ids = ids(process);
            servers.cut();
            for (int i = 0; i < STRATEGIES.size(); i++) {
                IdSource source = process.get(STRATEGIES.get(i));
                Set<Long> more = ids.get(i);
                assertThrows(IdUnavailableException.class, () -> {
                    while (more.size() < 2 * IDS) {
                        more.add(source.nextId());
                    }
                });
            }
        }

        servers.takeOver();
        try (IdSources control = MixedLoad.sources(servers.url(), CONTROL)) {
            assertThat(repeated(ids(control), ids)).containsOnly(0);
        }
    }
}
