package io.idgen.proof;

import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.StandInDevice;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.IdLog;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.proof.page.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Copies processes while they generate ids, and compares the ids of each with those of its copy. CRIU writes the memory
 * of a process to files and starts it twice from them. The process itself keeps its generation of the virtual machine,
 * and the copy has another one, as if a hypervisor had copied the machine. In the control, both have the same.
 */
@Command(
        name = "copies",
        mixinStandardHelpOptions = true,
        description = "Copies running processes with CRIU, and compares their ids. Needs root.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no violation, and ids of the control repeated",
            "1:a violation",
            "2:the control repeated no id"
        })
final class Copies implements Callable<Integer> {
    private static final Path DEVICE = Path.of("/dev/vmclock0");
    private static final int BEFORE = 500;
    private static final int WINDOWS = 2;

    @Option(
            names = "--rounds",
            defaultValue = "10",
            description = "Processes that are copied, and as many in the control.")
    private int rounds;

    @Option(names = "--criu", defaultValue = "criu", description = "CRIU, 4.0 or newer.")
    private String criu = "";

    @Mixin
    private final Results results = new Results();

    private Copies() {}

    /** What the process and its copy generated after they were separated. */
    private record Round(long[] original, long[] copy, String output) {
        List<Long> repeated() {
            Set<Long> ids = LongStream.of(original).boxed().collect(Collectors.toSet());
            return LongStream.of(copy).filter(ids::contains).boxed().toList();
        }

        /** Returns the time from the first id of the copy to the last one that repeats. */
        long repeatedMillis() {
            List<Long> ids = repeated();
            return ids.isEmpty() ? 0 : millis(ids.get(ids.size() - 1)) - millis(copy[0]);
        }

        private static long millis(long id) {
            return SnowflakeLayout.IDGEN.parse(id).time().toEpochMilli();
        }

        boolean isStopped() {
            return output.contains(ErrorCode.LEASE_COPIED.code());
        }

        boolean hasOtherWorker() {
            return copy.length > 0 && worker(copy[copy.length - 1]) != worker(original[original.length - 1]);
        }

        private static long worker(long id) {
            return SnowflakeLayout.IDGEN.parse(id).worker();
        }
    }

    @Override
    public Integer call() throws Exception {
        if (Files.exists(DEVICE)) {
            throw new IllegalStateException(DEVICE + " exists: this machine has a counter of generations of its own");
        }
        List<Round> copied = new ArrayList<>();
        List<Round> control = new ArrayList<>();
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            for (int i = 0; i < rounds; i++) {
                copied.add(round(database.url(), true));
                control.add(round(database.url(), false));
                System.out.println("round " + (i + 1));
            }
        }
        results.write("copies", page(copied, control));
        if (copied.stream().anyMatch(each -> !each.repeated().isEmpty() || !each.hasOtherWorker())
                || control.stream().anyMatch(each -> each.repeatedMillis() > Terms.WINDOW.toMillis())) {
            return 1;
        }
        return control.stream().allMatch(each -> each.repeated().isEmpty()) ? 2 : 0;
    }

    private Round round(String url, boolean isDetected) throws Exception {
        Path parent = Files.createTempDirectory("idgen-copies");
        Path folder = Files.createDirectory(parent.resolve("process"));
        Path images = Files.createDirectory(parent.resolve("images"));
        StandInDevice machine = new StandInDevice(DEVICE); // a plain file in /dev
        try {
            Process process = start(url, folder);
            IdLog log = CopiedProcess.log(folder);
            Await.until("the process generates ids", () -> log.count() > BEFORE);
            run(
                    criu,
                    "dump",
                    "--tree",
                    String.valueOf(process.pid()),
                    "--images-dir",
                    images.toString(),
                    "--tcp-close");
            int before = log.count();
            Path original = copy(folder, "original");
            Path copy = copy(folder, "copy");
            Path otherMachine = parent.resolve("vmclock");
            new StandInDevice(otherMachine).set(1);
            Process first = restore(images, folder, original, DEVICE);
            Process second = restore(images, folder, copy, isDetected ? otherMachine : DEVICE);
            TimeUnit.NANOSECONDS.sleep(Terms.WINDOW.multipliedBy(WINDOWS).toNanos());
            first.destroyForcibly();
            second.destroyForcibly();
            first.waitFor();
            second.waitFor();
            return new Round(
                    CopiedProcess.log(original).from(before).toArray(),
                    CopiedProcess.log(copy).from(before).toArray(),
                    Files.readString(original.resolve("output")) + Files.readString(copy.resolve("output")));
        } finally {
            Files.delete(machine.file());
            run("rm", "--recursive", parent.toString());
        }
    }

    private static Process start(String url, Path folder) throws IOException {
        return new ProcessBuilder(
                        "setsid",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CopiedProcess.class.getName(),
                        url,
                        folder.toString())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private static Path copy(Path folder, String name) throws Exception {
        Path copy = folder.resolveSibling(name);
        run("cp", "--archive", folder.toString(), copy.toString());
        return copy;
    }

    /** Starts a process from its images, with its folder and device in a namespace of its own. */
    private Process restore(Path images, Path folder, Path copy, Path device) throws IOException {
        return new ProcessBuilder(
                        "unshare",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        "sh",
                        "-c",
                        "mount --bind \"$1\" \"$2\" && mount --bind \"$3\" \"$4\" && exec \"$5\" restore --images-dir \"$6\" --tcp-close",
                        "sh",
                        copy.toString(),
                        folder.toString(),
                        device.toString(),
                        DEVICE.toString(),
                        criu,
                        images.toString())
                .redirectErrorStream(true)
                .redirectOutput(copy.resolveSibling(copy.getFileName() + ".log").toFile())
                .start();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + output);
        }
    }

    private String page(List<Round> copied, List<Round> control) {
        StringBuilder page = Results.page("Copies of processes", "proof/run copies --rounds=" + rounds, "");
        page.append(
                ("CRIU copies a process that generates ids of a leased snowflake from PostgreSQL, with a lease of %s"
                                + " and a window of %s. The process and its copy run on for twice the window.\n\n")
                        .formatted(Durations.text(Terms.LEASE), Durations.text(Terms.WINDOW)));
        page.append("| `/dev/vmclock0`, a plain file | copies | ids of the processes afterwards | ids of the copies |"
                + " repeated ids | last repeated id, ms after the copy, most | copies that leased another worker id |"
                + " processes or copies that stopped with `IDGEN-603` |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
        append(page, "another generation in the copy", copied);
        append(page, "the same generation: the control", control);
        return page.toString();
    }

    private static void append(StringBuilder page, String name, List<Round> all) {
        page.append("| %s | %d | %s | %s | %s | %s | %d | %d |\n"
                .formatted(
                        name,
                        all.size(),
                        Report.number(all.stream()
                                .mapToLong(each -> each.original.length)
                                .sum()),
                        Report.number(
                                all.stream().mapToLong(each -> each.copy.length).sum()),
                        Report.number(all.stream()
                                .mapToLong(each -> each.repeated().size())
                                .sum()),
                        Report.number(all.stream()
                                .mapToLong(Round::repeatedMillis)
                                .max()
                                .orElse(0)),
                        all.stream().filter(Round::hasOtherWorker).count(),
                        all.stream().filter(Round::isStopped).count()));
    }
}
