package io.idgen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

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

    // ---- the exports for Prometheus ----

    /** Returns the names of metrics, as a scrape returns them. */
    private Set<String> exported() {
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("[{ ].*", ""))
                .collect(Collectors.toSet());
    }

    /** Returns the texts of all keys with this name, anywhere in a document. */
    private static Stream<String> texts(Object node, String key) {
        if (node instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(entry -> entry.getKey().equals(key) && entry.getValue() instanceof String text
                            ? Stream.of(text)
                            : texts(entry.getValue(), key));
        }
        return node instanceof Collection<?> list ? list.stream().flatMap(each -> texts(each, key)) : Stream.empty();
    }

    /** Returns the names of metrics in expressions, without the names of labels. */
    private static Set<String> metrics(Stream<String> expressions) {
        return expressions
                .flatMap(expression -> NAME.matcher(expression).results())
                .map(MatchResult::group)
                .filter(name -> !name.equals("idgen_source") && !name.equals("idgen_event"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Object parse(String file) throws IOException {
        return new Yaml().load(Files.readString(DOCS.resolve(file))); // YAML contains JSON
    }

    @Test
    void prometheusExportsLabelsAndSeconds() {
        assertThat(registry.scrape())
                .contains("idgen_worker_lease_remaining_seconds{idgen_source=\"orders\"}")
                .contains("idgen_events_total{idgen_event=\"lease_lost\"} 0.0");
    }

    @Test
    void theDashboardShowsMetricsThatAreExported() throws IOException {
        Object dashboard = parse("grafana/idgen.json");

        assertThat(metrics(Stream.concat(texts(dashboard, "expr"), texts(dashboard, "query"))))
                .isSubsetOf(exported())
                .hasSizeGreaterThan(14);
        assertThat(texts(dashboard, "title")).contains("Health", "Window").doesNotHaveDuplicates();
    }

    @Test
    void theAlertsAreAboutMetricsThatAreExported() throws IOException {
        Object rules = parse("prometheus/idgen-alerts.yml");

        assertThat(metrics(texts(rules, "expr"))).isSubsetOf(exported()).hasSizeGreaterThan(6);
        assertThat(texts(rules, "alert"))
                .hasSize((int) texts(rules, "expr").count())
                .doesNotHaveDuplicates();
        assertThat(texts(rules, "summary")).hasSameSizeAs(texts(rules, "alert").toList());
        assertThat(texts(rules, "expr")
                        .flatMap(expression -> Pattern.compile("idgen_event=\"([a-z_]+)\"")
                                .matcher(expression)
                                .results()
                                .map(event -> event.group(1))))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(registry.scrape()).contains("idgen_event=\"" + event + "\""));
    }
}
