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
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static List<Long> ids(IdSources process, String strategy) {
        IdSource source = process.get(strategy);
        return Stream.generate(source::nextId).limit(IDS).toList();
    }

    /** The replica has received the last ids, and executes them before its promotion. */
    @Test
    void aTakeoverLosesNoIdThatACallerHas() throws Exception {
        try (MixedLoad control = MixedLoad.of(List.of(servers.url(), servers.url()), CONTROL)) {
            control.awaitEach(IDS);
            servers.pauseReplica();
            control.awaitEach(IDS);

            servers.takeOver();
            control.add(servers.url());
            control.awaitEach(IDS);

            control.endDistinct();
        }
    }

    /** The primary then continues without its replica, as in asynchronous replication. */
    @ParameterizedTest
    @ValueSource(strings = {MixedLoad.SEGMENT, MixedLoad.SEQUENCE_TABLE})
    void afterTheTimeoutATakeoverLosesIdsWhichOnlyTheControlRepeats(String strategy) throws Exception {
        List<Long> lost;
        List<Long> lostByControl;
        Sql.execute(database(), "SET GLOBAL rpl_semi_sync_source_timeout = 100");
        try (IdSources process = MixedLoad.sources(servers.url());
                IdSources control = MixedLoad.sources(servers.url(), CONTROL, OTHER_TABLES)) {
            ids(process, strategy);
            ids(control, strategy);
            servers.cut();
            lost = ids(process, strategy);
            lostByControl = ids(control, strategy);
        }
        assertThat(status()).containsExactly("Rpl_semi_sync_source_status | OFF");

        servers.takeOver();
        try (IdSources process = MixedLoad.sources(servers.url());
                IdSources control = MixedLoad.sources(servers.url(), CONTROL, OTHER_TABLES)) {
            assertThat(ids(process, strategy)).doesNotContainAnyElementsOf(lost);
            assertThat(ids(control, strategy)).containsAnyElementsOf(lostByControl);
        }
    }

    /** No caller gets an id that the replica has not received, also if the driver cancels the statement. */
    @ParameterizedTest
    @ValueSource(strings = {MixedLoad.SEGMENT, MixedLoad.SEQUENCE_TABLE})
    void aPrimaryThatWaitsForItsReplicaIsAnOutageThatEndsWithATakeover(String strategy) throws Exception {
        Set<Long> ids = new HashSet<>();
        try (IdSources process =
                MixedLoad.sources(servers.url(), CONTROL, "idgen.jdbc.timeout=3s", "idgen.acquire-timeout=5s")) {
            ids.addAll(ids(process, strategy));
            servers.cut();
            int before = ids.size();
            assertThrows(IdUnavailableException.class, () -> {
                while (ids.size() < before + IDS) {
                    ids.add(process.get(strategy).nextId());
                }
            });
        }

        servers.takeOver();
        try (IdSources control = MixedLoad.sources(servers.url(), CONTROL)) {
            assertThat(ids(control, strategy)).doesNotContainAnyElementsOf(ids);
        }
    }
}
