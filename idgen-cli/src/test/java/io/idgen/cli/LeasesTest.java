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
    void theDoctorFindsWorkerIdsAndIdsAreGeneratedUnderALease() throws Exception {
        createWorkerIds();
        lease();
        String before = content();

        Run run = run("doctor");

        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.OK);
        assertThat(run.out())
                .startsWith(shown() + "\n")
                .containsPattern("ok +worker ids +default, 41-5-5-12 from .*: 1 of 1024 leased, 1023 free")
                .doesNotContain("wrong ");
        assertThat(run("doctor --json").printed())
                .startsWith("{\"store\":\"" + shown() + "\",\"level\":\"warn\",\"findings\":[{\"level\":");
        assertThat(content()).isEqualTo(before);
        assertThat(run("generate --count 2").printed().lines()).hasSize(2);
        assertThat(run("doctor").out()).as("the lease has ended").contains(": 1 of 1024 leased, 1023 free");
        assertThat(run("generate --layout twitter").refusal()).contains("layout");
        assertThat(run("repair").refusal()).contains("stop every process", "check that all of them use", "--yes");
        assertThat(run("repair --yes").refusal())
                .contains("worker id 7 of namespace 'default' by 17@web-3 until 2096-10-02T07:0", "stop these processes");
    }

    @Test
    void allIsRepaired() throws Exception {
        createWorkerIds();
        setHorizon(FOR_EVER);
        assertThat(run("doctor").exitCode()).isEqualTo(ExitCodes.FOUND);
        assertThat(run("repair horizons --yes").refusal()).contains("SELECT MAX(id) FROM orders", "--largest-id");
        assertThat(run("repair horizons --largest-id 4194304 --yes --layout discord")
                        .refusal())
                .contains("no worker ids of layout");
        assertThat(run("repair horizons --largest-id 4194304 --yes").printed())
                .contains(
                        "repaired " + place() + " 1 worker ids: horizons up to 2096-10-02T07:06:40Z",
                        " -> horizons at 2024-01-01T00:00:00.002Z");

        String before = content();
        assertThat(run("repair --dry-run --json").printed())
                .startsWith("{\"dryRun\":true,\"changes\":[{\"place\":\"" + place() + "\",\"row\":\"1024 worker ids\"");
        assertThat(content()).isEqualTo(before);
        assertThat(run("repair --yes").printed()).startsWith("repaired " + place() + " 1024 worker ids: ");
        assertThat(run("repair after-promotion").refusal()).contains("only databases need a repair after a promotion");
        setHorizon(1);
        assertThat(run("repair layout --to tsid --to-epoch 2000-01-01T00:00:00Z --yes")
                        .printed())
                .contains(place() + " 1024 worker ids: layout 41-5-5-12 from ", " -> layout ");
        assertThat(run("repair namespace default --namespace x --yes").refusal())
                .contains("without --namespace");
        assertThat(run("repair namespace default --yes").printed())
                .contains("repaired " + place() + " 1024 worker ids: layout ", " -> removed");
        assertThat(content()).doesNotContain("41-5-5-12", "horizon", "fence");
    }

    @Test
    void anOptionOfAnotherStoreIsRefused() {
        assertThat(run("doctor --url jdbc:h2:mem:x").refusal()).contains("--url is an option with --url");
        assertThat(run("repair --column orders=orders.id --yes").refusal()).contains("--column is an option with");
        assertThat(Run.of("doctor", "--url", "jdbc:h2:mem:x", "--root", "/x").refusal())
                .contains("--root is an option with --zookeeper, and not with --url");
    }
}
