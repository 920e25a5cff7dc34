package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose host allows it no new thread for a moment, by the resource limit {@code RLIMIT_NPROC} of Linux. */
@Tag("matrix")
@Timeout(180)
class ThreadLimitTest {
    private static final int NOBODY = 65_534;

    @TempDir
    private Path folder;

    /** The entries of the class path that the process needs, where every user of the host may read them. */
    private String readableClassPath() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.contains("idgen-") || entry.contains("h2")) {
                Path copy = folder.resolve(Integer.toString(copies.size()));
                try (Stream<Path> files = Files.walk(Path.of(entry))) {
                    for (Path from : (Iterable<Path>) files::iterator) {
                        Files.copy(
                                from,
                                copy.resolve(Path.of(entry).relativize(from).toString()));
                    }
                }
                copies.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    /** Runs a command as another user if this process is root, whom no limit concerns. */
    private List<String> limited(String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (Files.getAttribute(folder, "unix:uid").equals(0)) {
            all.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private void limitThreads(ChildJvm process, int most) throws Exception {
        int exitCode = new ProcessBuilder(limited("prlimit", "--pid=" + process.pid(), "--nproc=" + most + ":"))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exitCode).as("exit code of prlimit").isZero();
    }

    @Test
    void sourcesGoOnWithoutARepeatedIdAsSoonAsTheHostAllowsThreadsAgain() throws Exception {
        try (ChildJvm process = ChildJvm.start(limited(), readableClassPath(), LimitedProcess.class)) {
            process.awaits("idle");
            limitThreads(process, 1);
            process.tell("starve");
            process.awaits("starved");
            limitThreads(process, 4_000);
            process.tell("recover");

            assertThat(process.awaitsEnd()).contains("repeated 0, failed 0");
        }
    }
}
