package io.idgen.cli.oncall;

import static io.idgen.cli.oncall.Shop.LEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * OnCallContract of a person on call: a process has a symptom, the doctor has a finding, the page has commands, and then there
 * are ids again. Each test runs the commands as {@code docs/operations.md} and {@code docs/maintenance.md} have them,
 * and checks that no id repeats.  A subclass starts
 * servers.
 */
@Tag("nightly")
abstract class OnCallContract {
    /** "About six seconds" or "30 s", and a busy machine. */
    static final Duration SOON = Duration.ofSeconds(90);

    private static final List<String> QUICK = List.of("idgen.acquire-timeout=15s");
    static final String TWO_WORKERS = "idgen.snowflake.layout=41-1-21";
    private static final String NEXT_RELEASE = "idgen.snowflake.layout=41-6-6-10";

    final Shop shop = new Shop();

    private final Log log = new Log();

    /** The log of all processes. The tool, which runs in this process too, lets only warnings pass. */
    private static final class Log extends Handler {
        private final Logger logger = Logger.getLogger("io.idgen");
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        Log() {
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(LogLines.text(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    /** Returns the option that names the store, without spaces in its value. */
    abstract String store();

    /** Returns the settings of the form {@code key=value} by which a process finds the store. */
    abstract String[] address();

    /** Adds the store to the settings of a process in this JVM. */
    IdSources.Builder settings() {
        return Shop.configure(IdSources.builder(), List.of(address()));
    }

    @AfterEach
    void stopTheProcesses() {
        shop.close();
        log.close();
    }

    /** Starts a process with additional settings of the form {@code key=value}. */
    Shop.Process start(String... more) {
        return shop.start(Shop.configure(settings(), join(QUICK, List.of(more))));
    }

    /** Starts a process in a JVM of its own, with additional settings of the form {@code key=value}. */
    ShopJvm startJvm(String... more) throws IOException {
        return shop.startJvm(join(List.of(address()), join(QUICK, List.of(more))));
    }

    private static List<String> join(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** Waits until a process logs a code. */
    void awaitLog(ErrorCode code) throws Exception {
        awaitLog(code, () -> {});
    }

    /** Does something until a process logs a code. */
    void awaitLog(ErrorCode code, Runnable meanwhile) throws Exception {
        Await.until("a log line of " + code, () -> {
            meanwhile.run();
            return log.lines.stream().anyMatch(each -> each.contains(code.toString()));
        });
    }

    static void symptom(IdGenerationException e, ErrorCode code) {
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
    }

    /** Runs a command of the page. Only the store and the times in it are replaced. */
    Run type(String command) {
        return type(command, Instant.now());
    }

    Run type(String command, Instant backupTime) {
        String filled = command.replaceFirst("^java -jar idgen\\.jar", "idgen")
                .replaceFirst("--(url|redis|zookeeper) \\S+( --user …)?", store())
                .replaceFirst("--backup-time (<[^>]+>|\\S+)", "--backup-time " + backupTime);
        if (!filled.contains(store()) && filled.startsWith("idgen doctor")) {
            filled += " " + store(); // the page tells how to start the doctor, and later only its name
        }
        assertThat(filled).startsWith("idgen ").doesNotContain("…", "<");
        Run run = Run.of(filled.replaceFirst("^idgen ", "").split(" "));
        System.out.println(filled + "\n" + run.out() + run.err());
        return run;
    }

    /** Runs the doctor, and looks for a finding. */
    void doctor(String command, int exitCode, String pattern) {
        Run run = type(command);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        assertThat(run.out()).containsPattern(pattern);
    }

    /** Waits until a process has ids again. */
    static void idsAgain(Shop.Process process, String source) {
        process.await(source, SOON);
        process.next(source, 100);
    }

    @Test
    void allWorkerIdsAreLeased() throws Exception {
        ShopJvm first = startJvm(TWO_WORKERS);
        first.next(LEASED);
        start(TWO_WORKERS).next(LEASED);
        Shop.Process third = start(TWO_WORKERS, "idgen.acquire-timeout=3s");
        symptom(third.failure(LEASED), ErrorCode.WORKER_IDS_TAKEN);
        Guide guide = Guide.to("IDGEN-601");

        doctor(guide.code("idgen doctor"), ExitCodes.FOUND, "worker ids .*2 of 2 leased, 0 free");
        assertThat(guide.text()).contains("Stop processes");
        first.kill();

        idsAgain(third, LEASED);
    }

    /** Creates worker ids whose ids begin now, as those of the scripts do: a new store begins a window ahead. */
    void prepareWorkerIds() {}

    @Test
    void anotherLayout() throws Exception {
        prepareWorkerIds();
        Shop.Process old = start();
        old.next(LEASED);
        Shop.Process next = start(NEXT_RELEASE);
        symptom(next.failure(LEASED), ErrorCode.LAYOUT_MISMATCH);
        Guide guide = Guide.to("IDGEN-604");

        doctor("idgen doctor", ExitCodes.OK, "worker ids .*1 of 1024 leased");
        assertThat(guide.text()).contains("Roll back the deploy").contains("Stop all processes, wait");
        old.next(LEASED, 100);
        Shop.Process rolledBack = start();
        rolledBack.await(LEASED, SOON);
        String repair = guide.code("idgen repair layout");
        assertThat(type(repair).refusal()).as("while processes run").contains("stop these processes");
        old.close();
        rolledBack.close();
        assertThat(next.failure(LEASED).code()).as("control").isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        Run run = type(repair);
        while (run.err().contains("wait until")) {
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            run = type(repair);
        }
        assertThat(run.printed()).contains("layout 41-6-6-10");
        next.close();

        idsAgain(start(NEXT_RELEASE), LEASED);
    }
}
