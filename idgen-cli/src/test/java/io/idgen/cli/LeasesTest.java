package io.idgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.common.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@code doctor} and {@code repair} for a store without SQL. A subclass starts a server of one kind.
 */
abstract class LeasesTest {
    static final int WORKER_ID = 7;
    static final long FOR_EVER = 4_000_000_000_000L;

    /** Returns the option that names the server, as one word. */
    abstract String option();

    /** Returns the name of the store in the first line of the output. */
    abstract String shown();

    /** Returns the place in the first line of a change. */
    abstract String place();

    /** Creates worker ids without leases. */
    abstract void createWorkerIds() throws Exception;

    /** Leases worker id {@value #WORKER_ID} to process 17@web-3. The lease never expires. */
    abstract void lease() throws Exception;

    abstract void setHorizon(long millis) throws Exception;

    abstract void reserve() throws Exception;

    /** Returns everything that the store contains. */
    abstract String content() throws Exception;

    Run run(String... args) {
        List<String> all = new ArrayList<>();
        for (String each : args) {
            all.addAll(List.of(each.split(" ")));
        }
        all.add(option());
        all.add("--timeout=60");
        return Run.of(all.toArray(String[]::new));
    }

    @Test
    void theDoctorFindsWorkerIdsAndChangesNone() throws Exception {
        createWorkerIds();
        String before = content();

        Run run = run("doctor");

        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.OK);
        assertThat(run.out())
                .startsWith(shown() + "\n")
                .containsPattern("ok +worker ids +default, 41-5-5-12 from .*: 0 of 1024 leased, 1024 free")
                .contains("this host's clock is ")
                .doesNotContain("wrong ");
        assertThat(run("doctor --json").printed())
                .startsWith("{\"store\":\"" + shown() + "\",\"level\":\"warn\",\"findings\":[{\"level\":");
        assertThat(run("doctor --strict").exitCode()).as("of a warning").isEqualTo(ExitCodes.FOUND);
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void idsAreGeneratedUnderALeaseWhichEndsWithTheCommand() throws Exception {
        createWorkerIds();
        lease();

        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.addAll(run("generate --count 2").printed().lines().toList());
        }

        assertThat(ids).hasSize(6).doesNotHaveDuplicates();
        assertThat(run("doctor").out()).as("the leases").contains(": 1 of 1024 leased, 1023 free");
        assertThat(run("generate --layout twitter").refusal()).contains("layout");
        assertThat(run("generate --at 2026-01-01T00:00:00Z --worker 1").refusal())
                .contains("no store");
    }

    @Test
    void aHorizonThatIsFarAheadIsWrongUntilItIsLowered() throws Exception {
        createWorkerIds();
        setHorizon(FOR_EVER);

        Run run = run("doctor");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run.out())
                .containsPattern("wrong +horizons .* s ahead, until 2096-10-02T07:06:40Z \\(4000000000000\\), but");

        assertThat(run("repair horizons --yes").refusal()).contains("SELECT MAX(id) FROM orders", "--largest-id");
        assertThat(run("repair horizons --largest-id 4194304 --yes --layout discord")
                        .refusal())
                .contains("no worker ids of layout");
        assertThat(run("repair horizons --largest-id 0 --yes").refusal()).contains("the largest id is 0");
        assertThat(run("repair horizons --largest-id 9000000000000000000 --yes").refusal())
                .contains("the largest id, 9000000000000000000, has the time 2091-", "in the future");
        assertThat(run("repair horizons --largest-id 4194304 --yes").printed())
                .contains(
                        "repaired " + place() + " 1 worker ids: horizons up to 2096-10-02T07:06:40Z",
                        " -> horizons at 2024-01-01T00:00:00.002Z");
        assertThat(run("doctor").out()).containsPattern("ok +horizons .*all in the past");
    }

    @Test
    void aRepairPrintsTheValuesBeforeAndAfterAndALineForALog() throws Exception {
        createWorkerIds();

        String printed = run("repair --yes").printed();

        assertThat(printed)
                .startsWith(place() + "  1024 worker ids\n  before  ")
                .containsPattern("\n  after   .*ids begin at 20\\S+ \\(\\d+\\) or later; the first process can ");
        assertThat(printed.lines().reduce("", (before, last) -> last))
                .startsWith("repaired " + place() + " 1024 worker ids: ")
                .containsPattern(
                        " or later; the first process can lease a worker id at 20\\S+ \\(\\d+\\), [67] s from now$");
    }

    @Test
    void aDryRunNeedsNoConfirmationAndChangesNothing() throws Exception {
        createWorkerIds();
        reserve();
        String before = content();

        assertThat(run("repair --dry-run").printed()).contains("dry run, would repair " + place());
        assertThat(run("repair --dry-run --json").printed())
                .startsWith("{")
                .contains("\"dryRun\":true", "\"place\":\"" + place() + "\",\"row\":\"1024 worker ids\"");
        assertThat(run("repair horizons --largest-id 4194304 --dry-run").printed())
                .isEqualToIgnoringNewLines("dry run, would repair nothing");
        assertThat(run("repair unreserve 7 --dry-run").printed()).contains("dry run, would repair");
        assertThat(content()).isEqualTo(before);

        assertThat(run("repair unreserve 7 --yes").printed())
                .contains(place() + "  worker id 7\n  before  reserved, horizon at ", "  after   free to lease");
        assertThat(content()).as("control").isNotEqualTo(before);
    }

    @Test
    void aRepairIsRefusedWithoutConfirmationAndWhileAWorkerIdIsLeased() throws Exception {
        createWorkerIds();
        lease();
        String before = content();

        assertThat(run("doctor").out()).contains("1 of 1024 leased, 1023 free");
        assertThat(run("repair").refusal()).contains("stop every process", "check that all of them use", "--yes");
        for (String repair : List.of("repair", "repair horizons --largest-id 4194304")) {
            for (String how : List.of("--yes", "--dry-run")) {
                assertThat(run(repair, how).refusal())
                        .contains(
                                "worker id 7 of namespace 'default' by 17@web-3 until 2096-10-02T07:0",
                                "stop these processes");
            }
        }
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void aNamespaceGetsAnotherLayoutAndIsRemovedUnlessItIsInUse() throws Exception {
        createWorkerIds();
        setHorizon(FOR_EVER);
        String before = content();
        for (String repair :
                List.of("repair layout --to 42-5-5-11 --to-epoch 1990-01-01T00:00:00Z", "repair namespace default")) {
            assertThat(run(repair).refusal()).contains("--yes");
            assertThat(run(repair, "--yes").refusal())
                    .contains("1 worker ids of namespace 'default'", "horizon in the future", "wait until 2096-10-02");
        }
        assertThat(run("repair namespace ordres --yes").refusal()).contains("there is no namespace 'ordres'");
        assertThat(run("repair namespace default --namespace x --yes").refusal())
                .contains("without --namespace");
        assertThat(run("repair after-promotion").refusal()).contains("only databases need a repair after a promotion");
        assertThat(content()).isEqualTo(before);
        setHorizon(1);

        assertThat(run("repair layout --to idgen --to-epoch 2025-01-01T00:00:00Z --yes")
                        .refusal())
                .contains("choose an earlier epoch");
        assertThat(run("repair layout --to tsid --to-epoch 2000-01-01T00:00:00Z --yes")
                        .printed())
                .contains(place() + "  1024 worker ids\n  before  layout 41-5-5-12 from ", "\n  after   layout ");
        assertThat(run("repair layout --to tsid --yes").refusal()).contains("has no worker ids of layout 41-5-5-12");
        assertThat(run("repair namespace default --yes").printed())
                .contains("repaired " + place() + " 1024 worker ids: layout ", " -> removed");
        assertThat(content()).doesNotContain("41-5-5-12", "horizon", "fence");
    }

    @Test
    void anOptionOfAnotherStoreIsRefused() {
        assertThat(run("doctor --race").refusal()).contains("--race is an option with --url, and not with " + name());
        assertThat(run("doctor --url jdbc:h2:mem:x").refusal()).contains("--url is an option with --url");
        assertThat(run("repair --column orders=orders.id --yes").refusal()).contains("--column is an option with");
        assertThat(Run.of("doctor", "--url", "jdbc:h2:mem:x", "--root", "/x").refusal())
                .contains("--root is an option with --zookeeper, and not with --url");
    }

    private String name() {
        return option().split("=")[0];
    }
}
