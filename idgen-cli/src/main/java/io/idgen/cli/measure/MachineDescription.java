package io.idgen.cli.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine of a measurement. */
public final class MachineDescription {
    private MachineDescription() {}

    /**
     * Returns processor, system and JDK.
     *
     * @return one line
     */
    public static String text() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.version");
    }

    /**
     * Returns the processor.
     *
     * @return its name on Linux, otherwise its architecture
     */
    public static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
