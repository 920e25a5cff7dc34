package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.cli.compare.result.RestartOutcome;
import io.idgen.cli.measure.DuplicateCheck;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Kills a process that has generated ids, and starts another one. Counts the ids that are lost in between, and the
 * duplicates.
 */
final class Restart {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Restart() {}

    /** Runs two processes one after the other, for contenders with keys of 64 bits. */
    static Map<String, RestartOutcome> of(List<Contender> contenders, Bench bench, Plan plan) throws IOException {
        List<String> names = contenders.stream().map(Contender::name).toList();
        KilledProcess.Orders orders = new KilledProcess.Orders(bench.shared(), bench.prefix(), plan.settings(), names);
        Map<String, KilledProcess.Drawn> first = live(orders).drawn();
        Map<String, KilledProcess.Drawn> second = live(orders).drawn();
        Map<String, RestartOutcome> outcomes = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            KilledProcess.Drawn before = first.get(contender.name());
            KilledProcess.Drawn after = second.get(contender.name());
            if (before != null
                    && after != null
                    && before.failure().isEmpty()
                    && after.failure().isEmpty()) {
                outcomes.put(
                        contender.name(), outcome(contender.family(), layout(contender.family(), plan), before, after));
            }
        }
        return outcomes;
    }

    private static SnowflakeLayout layout(KeyFamily family, Plan plan) {
        return family == KeyFamily.TSID ? SnowflakeLayout.parse("tsid") : plan.layout();
    }

    private static RestartOutcome outcome(
            KeyFamily family, SnowflakeLayout layout, KilledProcess.Drawn before, KilledProcess.Drawn after) {
        long[] earlier = before.ids().stream().mapToLong(Long::parseLong).toArray();
        long[] later = after.ids().stream().mapToLong(Long::parseLong).toArray();
        DuplicateCheck check = new DuplicateCheck(family.words());
        check.add(earlier.clone());
        check.add(later.clone());
        long last = Arrays.stream(earlier).max().orElseThrow();
        long next = later[0];
        boolean byTime = family == KeyFamily.SNOWFLAKE || family == KeyFamily.TSID;
        double jump = byTime
                ? Duration.between(layout.parse(last).time(), layout.parse(next).time())
                                .toNanos()
                        / 1e6
                : 0;
        return new RestartOutcome(
                Long.toString(last),
                Long.toString(next),
                byTime ? -1 : Math.max(0, next - last - 1),
                jump,
                after.firstMillis(),
                check.check());
    }

    private static KilledProcess.Report live(KilledProcess.Orders orders) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        KilledProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(JSON.writeValueAsString(orders))
                    .append('\n')
                    .flush();
            String line = out.readLine();
            if (line == null) {
                throw new IOException("the child process ended before it was killed");
            }
            return JSON.readValue(line, KilledProcess.Report.class);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the class path of this process. Under Maven's exec:java, the system property does not contain it. */
    private static String classPath() {
        List<String> paths = new ArrayList<>();
        if (Restart.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                try {
                    paths.add(Path.of(url.toURI()).toString());
                } catch (URISyntaxException e) {
                    throw new IllegalStateException("not a path: " + url, e);
                }
            }
            return paths.stream().collect(Collectors.joining(File.pathSeparator));
        }
        return System.getProperty("java.class.path");
    }
}
