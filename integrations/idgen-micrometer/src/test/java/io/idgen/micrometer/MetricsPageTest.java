package io.idgen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the table of meters, the dashboard and the alert rules in {@code docs} with the meters. */
class MetricsPageTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern NAME = Pattern.compile("idgen_[a-z_]+");
    private static final Pattern ROW = Pattern.compile(
            "^\\| (`idgen\\.[a-z.]+`) \\| [a-z]* \\| ([a-z]+) \\| ([a-z]*) \\| (.+?) \\|$", Pattern.MULTILINE);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Sources sources = new Sources();

    @BeforeEach
    void bind() {
        new IdgenMetrics(sources.all).bindTo(registry);
        sources.events.bindTo(registry);
    }

    @AfterEach
    void close() {
        sources.close();
        registry.close();
    }

    private static String row(String name, String type, String unit, String meaning) {
        return name + " " + type + " [" + unit + "] " + meaning;
    }

    private static String row(Meter meter) {
        Meter.Id id = meter.getId();
        String type =
                id.getType() == Meter.Type.OTHER ? "timer" : id.getType().name().toLowerCase(Locale.ROOT);
        return row(
                "`" + id.getName() + "`",
                type,
                id.getBaseUnit() == null ? "" : id.getBaseUnit(),
                String.valueOf(id.getDescription()));
    }

    @Test
    void theTableOfMetersIsTheOneInTheCode() throws IOException {
        Set<String> rows = ROW.matcher(Files.readString(DOCS.resolve("metrics.md")))
                .results()
                .map(row -> row(row.group(1), row.group(2), row.group(3), row.group(4)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(rows)
                .isEqualTo(registry.getMeters().stream()
                        .map(MetricsPageTest::row)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void theDashboardAndTheAlertsNameMetricsThatPrometheusReceives() throws IOException {
        Set<String> exported = registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("[{ ].*", ""))
                .collect(Collectors.toSet());

        assertThat(exported).contains("idgen_worker_lease_remaining_seconds");
        for (String file : new String[] {"grafana/idgen.json", "prometheus/idgen-alerts.yml"}) {
            assertThat(NAME.matcher(Files.readString(DOCS.resolve(file)))
                            .results()
                            .map(MatchResult::group)
                            .filter(name -> !name.equals("idgen_source") && !name.equals("idgen_event")))
                    .as(file)
                    .isSubsetOf(exported)
                    .hasSizeGreaterThan(6);
        }
    }
}
